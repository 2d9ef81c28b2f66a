package compliance

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"forecourt/internal/onboarding/form"
)

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
var postBox = regexp.MustCompile(
	`(?i)\b(?:(?:g\W?\s?)?p\W?\s?o\W?\s?|post(?:al)?(?:\s+office)?\s+)box\b|\b(?:locked|private|mail)\s+bag\b|\bparcel\s+(?:locker|collect)\b`,
)

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
	}
}

func (c *checker) licence(d *Details, today time.Time) {
	switch {
	case d.LicenseNo == "":
		c.add("licenseno", Missing)
	case len(d.LicenseNo) < 4 || len(d.LicenseNo) > 12 ||
		strings.ContainsFunc(d.LicenseNo, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }):
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

// digits reports whether a text consists of exactly that many digits 0 to 9.
func digits(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
