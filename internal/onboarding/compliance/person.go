package compliance

import (
	"slices"
	"strings"
	"time"

	"forecourt/internal/kit/printable"
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

// maxTyped is how much of a typed text is read, in characters. It exceeds every field's limit, so that a text which is too long is
// still too long when cut.
const maxTyped = 1000

// tidy normalises what was typed to the stored form, and drops what is not asked of a person.
func (d *Details) tidy(required []Part) {
	for _, field := range []*string{
		&d.Street, &d.Suburb, &d.PostCode, &d.State, &d.Country, &d.LicenseNo, &d.LicenseState, &d.LicenseExp, &d.Dob,
	} {
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

// isoDate converts a day as people write it, 2001-12-31 or 31/12/2001, to ISO form. Anything else stays unchanged.
func isoDate(text string) string {
	for _, layout := range []string{time.DateOnly, "2/1/2006", "2.1.2006", "2-1-2006", "2 1 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}
