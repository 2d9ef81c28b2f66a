package desk

import (
	"slices"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Details is the form with the details of a business.
type Details struct {
	Frame    layout.Desk
	Action   string
	Merchant string // of a new business; "" for an existing one
	Empty    bool   // nobody has filled it in yet
	Live     bool
	Saved    bool
	Logo     Picture
	fields   map[string]ui.Field
	choices  map[string]ui.Choice
	gst      bool
	look     Look
}

// New reports whether the business does not exist yet.
func (d Details) New() bool { return d.Merchant != "" }

// problems returns the fields in the order of the form, for the summary of their problems.
func (d Details) problems() (all []ui.Field) {
	for _, name := range []string{
		"name", "code", "tagline", "country", "currency", "timezone", "hours", "mail", "abn", "locations", "accent",
	} {
		f, ok := d.fields[name]
		if !ok {
			f = d.choices[name].Field
		}
		all = append(all, f)
	}
	return append(all, d.Logo.field())
}

// DetailsOf returns the form with its words.
func DetailsOf(d shop.Details, problems shop.Problems, look Look) Details {
	field := func(name, label, hint, value string) ui.Field {
		return ui.Field{ID: name, Name: name, Label: label, Hint: hint, Value: value, Problem: detailProblem(name, problems)}
	}
	m := Details{gst: d.GSTIncluded, look: look, fields: map[string]ui.Field{
		"name": field("name", "Name", "As guests know it.", d.Name),
		"code": field(
			"code", "Web address", "Your menu is at /pos/ followed by this. It cannot change later, because QR codes contain it.", d.Code,
		),
		"tagline": field("tagline", "Tagline (optional)", "One line under the name, such as \u201cWood-fired since 1998\u201d.", d.Tagline),
		"accent":  field("accent", "Colour", "For the banner and the buttons of your pages.", d.Accent),
		"abn":     field("abn", "ABN (optional)", "Eleven digits, for businesses in Australia. Receipts show it.", d.ABN),
		"mail":    field("mail", "Receipts to (optional)", "A copy of each receipt goes to this address.", d.Mail),
		"locations": field(
			"locations", "Where things are made",
			"One location on each line, such as Kitchen and Bar. The kitchen screen has a column for each.", strings.Join(d.Locations, "\n"),
		),
	}}
	_, wrong := clock.TidyHours(d.Hours)
	m.fields["hours"] = hoursField(
		d.Hours, "When guests can order. Outside these times your menu says when it opens. Leave it empty for always.", wrong)
	f := m.fields["accent"]
	f.Type = "color"
	m.fields["accent"] = f
	f = m.fields["abn"]
	f.InputMode = "numeric"
	m.fields["abn"] = f
	f = m.fields["mail"]
	f.Type, f.Autocomplete = "email", "email"
	m.fields["mail"] = f
	m.choices = map[string]ui.Choice{
		"country":  {Field: field("country", "Country", "", d.Country), Options: options(countries, d.Country)},
		"currency": {Field: field("currency", "Currency", "", d.Currency), Options: options(currencies, d.Currency)},
		"timezone": {
			Field: field(
				"timezone", "Time zone", "For opening hours, receipts and closings. Cities of one country can have different clocks.", d.TimeZone,
			),
			Options: options(zones, d.TimeZone),
		},
	}
	return m
}

// options returns the choices of a list, and the present one if the list lacks it.
func options(list [][2]string, now string) []ui.Option {
	if now != "" && !slices.ContainsFunc(list, func(o [2]string) bool { return o[0] == now }) {
		list = append([][2]string{{now, now}}, list...)
	}
	all := make([]ui.Option, len(list))
	for i, o := range list {
		all[i] = ui.Option{Value: o[0], Label: o[1], Chosen: o[0] == now}
	}
	return all
}

var countries = [][2]string{
	{"AU", "Australia"}, {"CA", "Canada"}, {"IE", "Ireland"}, {"NZ", "New Zealand"},
	{"SG", "Singapore"}, {"GB", "United Kingdom"}, {"US", "United States"},
}

var currencies = [][2]string{
	{"AUD", "Australian dollar (AUD)"}, {"CAD", "Canadian dollar (CAD)"}, {"EUR", "Euro (EUR)"}, {"NZD", "New Zealand dollar (NZD)"},
	{"GBP", "Pound sterling (GBP)"}, {"SGD", "Singapore dollar (SGD)"}, {"USD", "US dollar (USD)"},
}

var zones = [][2]string{
	{"Australia/Adelaide", "Adelaide"}, {"Australia/Brisbane", "Brisbane"},
	{"Australia/Broken_Hill", "Broken Hill"}, {"Australia/Darwin", "Darwin"},
	{"Australia/Hobart", "Hobart"}, {"Australia/Lord_Howe", "Lord Howe Island"},
	{"Australia/Melbourne", "Melbourne, Canberra"}, {"Australia/Perth", "Perth"},
	{"Australia/Sydney", "Sydney"}, {"Pacific/Auckland", "Auckland, Wellington"}, {"America/Chicago", "Chicago"}, {"America/Denver", "Denver"},
	{"Europe/Dublin", "Dublin"}, {"America/Halifax", "Halifax"}, {"Europe/London", "London"}, {"America/Los_Angeles", "Los Angeles"},
	{"America/New_York", "New York"}, {"Asia/Singapore", "Singapore"}, {"America/Toronto", "Toronto"}, {"America/Vancouver", "Vancouver"},
}

// detailProblem returns the message of a field.
func detailProblem(field string, problems shop.Problems) string {
	if problems[field] == shop.HoldsCard {
		return card.LeaveOut
	}
	return detailWords[field][problems[field]]
}

// detailWords are the messages of the form, by field.
var detailWords = map[string]map[shop.Problem]string{
	"name": {
		shop.Missing: "Enter the name of your business.", shop.Long: "Use at most 80 characters for the name.",
		shop.Unfit: "Use printable characters for the name.",
	},
	"code": {
		shop.Unfit: "Use 3 to 40 lowercase letters, digits and hyphens for the address.",
		shop.Taken: "Another business has this address. Choose a different one.",
	},
	"tagline": {shop.Long: "Use at most 120 characters for the tagline.", shop.Unfit: "Use printable characters for the tagline."},
	"accent":  {shop.Unfit: "Choose a colour like #2347c5."},
	"country": {shop.Unfit: "Choose a country."}, "currency": {shop.Unfit: "Choose a currency."},
	"timezone": {shop.Unfit: "Choose a time zone."},
	"abn": {
		shop.Unfit:  "Check the ABN: it needs eleven digits, and at least one is wrong.",
		shop.Needed: "Enter an ABN. Receipts that show GST need one.",
	},
	"mail": {shop.Unfit: "Enter an email address like name@example.com."},
	"locations": {
		shop.Missing: "Enter at least one location where things are made.", shop.Long: "Use at most 40 characters for a location.",
		shop.Unfit: "Use printable characters for a location.",
		shop.Twice: "Enter each location once.", shop.ManyAtAll: "Enter at most 20 locations.",
	},
}
