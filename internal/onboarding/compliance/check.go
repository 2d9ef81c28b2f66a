package compliance

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/run/picture"
)

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
