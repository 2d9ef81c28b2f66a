package shop

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// Details is what the owner of a shop enters about it.
type Details struct {
	Code                        string // of a new shop; it never changes
	Logo                        string // the address of one of its pictures or the name of an asset; "" for none
	Name, Tagline, Accent       string
	Currency, Country, TimeZone string
	ABN                         string
	GSTIncluded                 bool
	Mail                        string
	Locations                   []string // where things are made, in the order of the kitchen's columns
	Hours                       string   // when guests can order, as menu.TidyHours writes it; "" for always
}

// Problem is the reason to refuse a field.
type Problem string

// The problems.
const (
	Missing           = Problem(printable.Missing)
	Long              = Problem(printable.Long)
	Unfit             = Problem(printable.Unfit) // malformed
	HoldsCard         = Problem(printable.Card)
	Taken     Problem = "taken"  // another business has the code
	Needed    Problem = "needed" // prices that include GST need an ABN
	Twice     Problem = "twice"  // a name appears twice
	ManyAtAll Problem = "too many"
	Busy      Problem = "busy"  // too many people send pictures
	Again     Problem = "again" // the file was not kept
)

// Problems are the problems of a form, by field.
type Problems map[string]Problem

// Limits, in characters and lines.
const (
	mostName      = 80  // characters of a business's name
	mostTagline   = 120 // characters of its tagline
	mostLocation  = 40  // characters of a location's name
	mostLocations = 20  // locations of a business
)

var (
	codeForm    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$`)
	accentForm  = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	countryForm = regexp.MustCompile(`^[A-Z]{2}$`)
)

// reserved lists words that the desk's addresses use in place of a code.
var reserved = []string{"new", "look"}

// IsAccent reports whether text is a colour like #b4432a.
func IsAccent(text string) bool { return accentForm.MatchString(text) }

// Check returns the details in tidy form and their problems, by the names of the form's fields.
func (d Details) Check() (Details, Problems) {
	problems := Problems{}
	line := func(field string, value *string, most int, required bool) {
		tidy, fault := printable.Tidy(*value, most, required)
		if *value = tidy; fault != "" {
			problems[field] = Problem(fault)
		}
	}
	line("name", &d.Name, mostName, true)
	line("tagline", &d.Tagline, mostTagline, false)
	d.Accent = strings.ToLower(strings.TrimSpace(d.Accent))
	if !IsAccent(d.Accent) {
		problems["accent"] = Unfit
	}
	if !money.Currency(d.Currency) {
		problems["currency"] = Unfit
	}
	if !countryForm.MatchString(d.Country) {
		problems["country"] = Unfit
	}
	if _, err := time.LoadLocation(d.TimeZone); err != nil || d.TimeZone == "" || d.TimeZone == "Local" {
		problems["timezone"] = Unfit
	}
	abn, ok := brand.FormatABN(d.ABN)
	switch {
	case !ok:
		problems["abn"] = Unfit
	case abn == "" && d.GSTIncluded:
		problems["abn"] = Needed
	default:
		d.ABN = abn
	}
	d.Mail = mailaddr.Normal(d.Mail)
	if d.Mail != "" && !mailaddr.Valid(d.Mail) {
		problems["mail"] = Unfit
	}
	d.Locations = d.checkLocations(problems)
	d.checkHours(problems)
	return d, problems
}

func (d *Details) checkHours(problems Problems) {
	tidy, wrong := clock.TidyHours(d.Hours)
	if d.Hours = tidy; wrong != "" {
		problems["hours"] = Unfit
	}
}

// CheckCode adds the problem of a new shop's code, if there is one.
func (d Details) CheckCode(problems Problems) {
	if !codeForm.MatchString(d.Code) || card.HoldsCard(d.Code) || slices.Contains(reserved, d.Code) {
		problems["code"] = Unfit
	}
}

func (d Details) checkLocations(problems Problems) (kept []string) {
	for _, name := range d.Locations {
		name = strings.Join(strings.Fields(name), " ")
		switch {
		case name == "":
			continue
		case utf8.RuneCountInString(name) > mostLocation:
			problems["locations"] = Long
		case !printable.Line(name, mostLocation):
			problems["locations"] = Unfit
		case card.HoldsCard(name):
			problems["locations"] = HoldsCard
		case slices.ContainsFunc(kept, func(other string) bool { return strings.EqualFold(other, name) }):
			problems["locations"] = Twice
		}
		kept = append(kept, name)
	}
	if len(kept) == 0 {
		problems["locations"] = Missing
	}
	if len(kept) > mostLocations {
		problems["locations"] = ManyAtAll
	}
	return kept
}
