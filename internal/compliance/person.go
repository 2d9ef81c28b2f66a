package compliance

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"forecourt/internal/form"
	"forecourt/internal/printable"
)

// Part is a group of details that are asked of a person.
type Part string

// The parts that a person may be asked for (COMPL-13).
const (
	AddressPart Part = "address"
	LicencePart Part = "licence"
	DobPart     Part = "dob"
)

// Side is a side of a licence.
type Side string

// The sides of a licence.
const (
	Front Side = "front"
	Back  Side = "back"
)

// Details is what a person enters, with the field names of the compliance document. State and Country belong to the address.
type Details struct {
	Street       string `json:"street"`
	Suburb       string `json:"suburb"`
	State        string `json:"state"`
	PostCode     string `json:"postCode"`
	Country      string `json:"country"` // ISO 3166-1
	LicenseNo    string `json:"licenseno"`
	LicenseState string `json:"licensestate"`
	LicenseExp   string `json:"licenseexp"` // YYYY-MM-DD
	Dob          string `json:"dob"`        // YYYY-MM-DD
}

// Problem is what is wrong with a field. The field has its name in the document.
type Problem struct {
	Field string
	Code  string // Missing and its kin
}

// What can be wrong with a field.
const (
	Missing   = "missing"
	TooLong   = "too long"
	Form      = "form"      // not of the required form
	Elsewhere = "elsewhere" // the post code belongs to another state
	Box       = "box"       // a PO box, where nobody lives
	Past      = "past"
	TooYoung  = "too young"
)

// asks reports whether a part is asked of a person.
func (p *Person) asks(part Part) bool { return slices.Contains(p.Required, part) }

func (p *Person) side(s Side) *bool {
	if s == Front {
		return &p.Front
	}
	return &p.Back
}

// Filled reports whether a part is complete. A licence needs both of its sides.
func (p *Person) Filled(part Part) bool {
	switch part {
	case AddressPart:
		return p.Street != ""
	case LicencePart:
		return p.LicenseNo != "" && p.Front && p.Back
	default:
		return p.Dob != ""
	}
}

// Complete reports whether a person counts as complete: with a licence number if a licence is asked for (COMPL-18), otherwise with
// every part that is asked for.
func (p *Person) Complete() bool {
	if p.asks(LicencePart) {
		return p.LicenseNo != ""
	}
	return !slices.ContainsFunc(p.Required, func(part Part) bool { return !p.Filled(part) })
}

// Lacking returns the parts that are asked for and incomplete, whether or not the person counts as complete.
func (p *Person) Lacking() []Part {
	return slices.DeleteFunc(slices.Clone(p.Required), p.Filled)
}

// maxTyped is how much of a typed text is read, in characters. It exceeds every field's limit, so that a text which is too long is
// still too long when cut.
const maxTyped = 1000

// tidy normalises what was typed to the stored form, and drops what is not asked of a person.
func (d *Details) tidy(required []Part) {
	for _, field := range []*string{&d.Street, &d.Suburb, &d.PostCode, &d.State, &d.Country, &d.LicenseNo, &d.LicenseState, &d.LicenseExp, &d.Dob} {
		*field = printable.MakeLine(*field, maxTyped)
	}
	d.Country, d.State, d.LicenseState = strings.ToUpper(d.Country), strings.ToUpper(d.State), strings.ToUpper(d.LicenseState)
	d.PostCode = strings.ToUpper(d.PostCode)
	d.LicenseNo = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(d.LicenseNo))
	d.LicenseExp, d.Dob = isoDate(d.LicenseExp), isoDate(d.Dob)
	if d.Country != Australia {
		d.State = ""
	}
	if !slices.Contains(required, AddressPart) {
		d.Street, d.Suburb, d.PostCode, d.State, d.Country = "", "", "", "", ""
	}
	if !slices.Contains(required, LicencePart) {
		d.LicenseNo, d.LicenseState, d.LicenseExp = "", "", ""
	}
	if !slices.Contains(required, DobPart) {
		d.Dob = ""
	}
}

// blank returns the parts that are empty. A selected country or state alone does not count: lists have a preselected entry.
func (d *Details) blank() []Part {
	var parts []Part
	if d.Street+d.Suburb+d.PostCode == "" {
		parts = append(parts, AddressPart)
	}
	if d.LicenseNo+d.LicenseExp == "" {
		parts = append(parts, LicencePart)
	}
	if d.Dob == "" {
		parts = append(parts, DobPart)
	}
	return parts
}

// clear empties a part into which nothing was typed.
func (d *Details) clear(part Part) {
	switch part {
	case AddressPart:
		d.State, d.Country = "", ""
	case LicencePart:
		d.LicenseState = ""
	}
}

// check returns what is wrong with the parts, in the order of the fields.
func (d *Details) check(parts []Part, today time.Time) []Problem {
	var c checker
	if slices.Contains(parts, AddressPart) {
		c.text("street", d.Street, 200)
		c.home("street", d.Street)
		c.text("suburb", d.Suburb, 100)
		c.home("suburb", d.Suburb)
		c.address(d)
	}
	if slices.Contains(parts, DobPart) {
		c.dob(d.Dob, today)
	}
	if slices.Contains(parts, LicencePart) {
		c.licence(d, today)
	}
	return c.problems
}

// postBox matches places where mail waits but nobody lives: "PO Box 12", "G.P.O. Box 3", "Locked Bag 7".
var postBox = regexp.MustCompile(`(?i)\b(?:(?:g\W?\s?)?p\W?\s?o\W?\s?|post(?:al)?(?:\s+office)?\s+)box\b|\b(?:locked|private|mail)\s+bag\b|\bparcel\s+(?:locker|collect)\b`)

type checker struct{ problems []Problem }

func (c *checker) add(field, code string) { c.problems = append(c.problems, Problem{field, code}) }

func (c *checker) text(field, value string, most int) {
	switch {
	case value == "":
		c.add(field, Missing)
	case utf8.RuneCountInString(value) > most:
		c.add(field, TooLong)
	}
}

// home refuses a PO box.
func (c *checker) home(field, value string) {
	if postBox.MatchString(value) {
		c.add(field, Box)
	}
}

func (c *checker) address(d *Details) {
	switch {
	case d.Country == "":
		c.add("country", Missing)
		return
	case !form.IsCountry(d.Country):
		c.add("country", Form)
		return
	case d.Country != Australia:
		c.text("postCode", d.PostCode, 12)
		return
	case d.State == "":
		c.add("state", Missing)
	case !IsState(d.State):
		c.add("state", Form)
	}
	switch {
	case d.PostCode == "":
		c.add("postCode", Missing)
	case !digits(d.PostCode, 4, 4):
		c.add("postCode", Form)
	case IsState(d.State) && !inState(d.PostCode, d.State):
		c.add("postCode", Elsewhere)
	}
}

func (c *checker) licence(d *Details, today time.Time) {
	switch {
	case d.LicenseNo == "":
		c.add("licenseno", Missing)
	case len(d.LicenseNo) < 4 || len(d.LicenseNo) > 12 || strings.ContainsFunc(d.LicenseNo, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }):
		c.add("licenseno", Form)
	}
	switch {
	case d.LicenseState == "":
		c.add("licensestate", Missing)
	case !IsState(d.LicenseState):
		c.add("licensestate", Form)
	}
	exp, err := time.Parse(time.DateOnly, d.LicenseExp)
	switch {
	case d.LicenseExp == "":
		c.add("licenseexp", Missing)
	case err != nil || exp.After(today.AddDate(50, 0, 0)):
		c.add("licenseexp", Form)
	case exp.Before(today):
		c.add("licenseexp", Past)
	}
}

func (c *checker) dob(value string, today time.Time) {
	born, err := time.Parse(time.DateOnly, value)
	switch {
	case value == "":
		c.add("dob", Missing)
	case err != nil || born.After(today) || born.Before(today.AddDate(-130, 0, 0)):
		c.add("dob", Form)
	case born.AddDate(18, 0, 0).After(today):
		c.add("dob", TooYoung)
	}
}

// isoDate converts a day as people write it, 2001-12-31 or 31/12/2001, to ISO form. Anything else stays unchanged.
func isoDate(text string) string {
	for _, layout := range []string{time.DateOnly, "2/1/2006", "2.1.2006", "2-1-2006", "2 1 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}

// digits reports whether a text consists of exactly that many digits 0 to 9.
func digits(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
