package compliance

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/run/picture"
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

// Australia is the country whose states, and the form of whose post codes, are checked.
const Australia = "AU"

// States returns the states and territories of Australia, by the abbreviations used on licences.
func States() []string { return []string{"ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"} }

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

// tidy normalises what was typed to the stored form, and drops what is not asked of a person.
func (d *Details) tidy(required []Part) {
	for _, field := range []*string{
		&d.Street, &d.Suburb, &d.PostCode, &d.State, &d.Country, &d.LicenseNo, &d.LicenseState, &d.LicenseExp, &d.Dob,
	} {
		*field = typed.Line(*field)
	}
	d.Country, d.State, d.LicenseState = strings.ToUpper(d.Country), strings.ToUpper(d.State), strings.ToUpper(d.LicenseState)
	d.LicenseNo, d.PostCode = typed.Code(d.LicenseNo), strings.ToUpper(d.PostCode)
	d.LicenseExp, d.Dob = typed.Date(d.LicenseExp), typed.Date(d.Dob)
	if d.Country == Australia {
		d.PostCode = typed.Digits(d.PostCode)
	} else {
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

// check returns what is wrong with the parts.
func (d *Details) check(parts []Part, today time.Time) fault.Problems {
	c := checker{}
	if slices.Contains(parts, AddressPart) {
		c.text("street", d.Street, 200, "Enter the street and number", "Use at most 200 characters for the street")
		c.home("street", d.Street, "Enter a home address, not a PO box")
		c.text("suburb", d.Suburb, 100, "Enter the suburb or town", "Use at most 100 characters for the suburb")
		c.home("suburb", d.Suburb, "Enter the suburb where this person lives, without a PO box")
		c.address(d)
	}
	if slices.Contains(parts, DobPart) {
		c.dob(d.Dob, today)
	}
	if slices.Contains(parts, LicencePart) {
		c.licence(d, today)
	}
	return fault.Problems(c)
}

// postBox matches places where mail waits but nobody lives: "PO Box 12", "G.P.O. Box 3", "Locked Bag 7".
var postBox = regexp.MustCompile(
	`(?i)\b(?:(?:g\W?\s?)?p\W?\s?o\W?\s?|post(?:al)?(?:\s+office)?\s+)box\b|\b(?:locked|private|mail)\s+bag\b|\bparcel\s+(?:locker|collect)\b`,
)

// checker collects problems, the first of each field.
type checker fault.Problems

func (c checker) add(field, problem string) {
	if c[field] == "" {
		c[field] = problem
	}
}

func (c checker) text(field, value string, most int, missing, tooLong string) {
	switch {
	case value == "":
		c.add(field, missing)
	case utf8.RuneCountInString(value) > most:
		c.add(field, tooLong)
	case card.HoldsCard(value):
		c.add(field, card.LeaveOut)
	case !utf8.ValidString(value):
		c.add(field, "This came in a form that cannot be read. Please type it again")
	}
}

// home refuses a PO box.
func (c checker) home(field, value, problem string) {
	if postBox.MatchString(value) {
		c.add(field, problem)
	}
}

// stateOf requires a state or territory of Australia.
func (c checker) stateOf(field, value, missing string) {
	switch {
	case value == "":
		c.add(field, missing)
	case !slices.Contains(States(), value):
		c.add(field, "Choose a state or territory of Australia")
	}
}

func (c checker) address(d *Details) {
	const missing = "Enter the postcode"
	switch {
	case d.Country == "":
		c.add("country", "Choose the country")
	case !form.IsCountry(d.Country):
		c.add("country", "Choose a country from the list")
	case d.Country != Australia:
		c.text("postCode", d.PostCode, 12, missing, "Use at most 12 characters for the postcode")
	default:
		c.stateOf("state", d.State, "Choose the state or territory")
		if d.PostCode == "" {
			c.add("postCode", missing)
		} else if !digits(d.PostCode, 4, 4) {
			c.add("postCode", "An Australian postcode has 4 digits")
		}
	}
}

func (c checker) licence(d *Details, today time.Time) {
	switch {
	case d.LicenseNo == "":
		c.add("licenseno", "Enter the licence number")
	case len(d.LicenseNo) < 4 || len(d.LicenseNo) > 12 ||
		strings.ContainsFunc(d.LicenseNo, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }):
		c.add("licenseno", "A licence number has 4 to 12 letters and digits")
	}
	c.stateOf("licensestate", d.LicenseState, "Choose the state that issued the licence")
	exp, err := time.Parse(time.DateOnly, d.LicenseExp)
	switch {
	case d.LicenseExp == "":
		c.add("licenseexp", "Enter the expiry date")
	case err != nil || exp.After(today.AddDate(50, 0, 0)):
		c.add("licenseexp", "Enter the expiry date, such as 31/12/2030")
	case exp.Before(today):
		c.add("licenseexp", "This licence has expired. Use one that is valid")
	}
}

func (c checker) dob(value string, today time.Time) {
	born, err := time.Parse(time.DateOnly, value)
	switch {
	case value == "":
		c.add("dob", "Enter the date of birth")
	case err != nil || born.After(today) || born.Before(today.AddDate(-130, 0, 0)):
		c.add("dob", "Enter the date of birth, such as 31/12/1985")
	case born.AddDate(18, 0, 0).After(today):
		c.add("dob", "Everybody named here has to be 18 or older")
	}
}

// refused words why a picture of a side of a licence is refused.
func (c checker) refused(side Side, err error) {
	photo := "The photo of the " + string(side)
	c.add("dl"+string(side), photo+map[string]string{
		picture.TooManyBytes:  " is larger than " + strconv.Itoa(picture.MaxBytes>>20) + " MB. Choose a smaller one",
		picture.TooManyPixels: " has more than " + strconv.Itoa(picture.MaxPixels/1_000_000) + " megapixels. Choose a smaller one",
		picture.HEIC:          " is in HEIC format, which we cannot read. Send a JPEG, such as a new photo taken here",
		picture.OtherKind:     " is in a format that we cannot open. Use JPEG, PNG or WebP",
		picture.Moving:        " is animated. Send a photo",
		picture.Broken:        " is damaged or incomplete. Choose it again or take a new one",
		picture.TooMuchWork:   " is stored in a way that takes too long to read. Send a new photo, or save this one as an ordinary JPEG",
	}[picture.Reason(err)])
}

// digits reports whether a text consists of exactly that many digits 0 to 9.
func digits(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
