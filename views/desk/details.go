package desk

import (
	"slices"

	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// Details is the form with the details of a business.
type Details struct {
	shop.Shop

	Problems fault.Problems
	Merchant string // of a new business; "" for an existing one
	Empty    bool   // nobody has filled it in yet
	Saved    bool
	Logo     Picture
}

// New reports whether the business does not exist yet.
func (d Details) New() bool { return d.Merchant != "" }

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

// look is a small page in a business's colour. It is empty for a colour that is not valid.
type look struct {
	Name           string
	Accent         string
	Ground, Text   string // of a button, on a light page
	Band, DarkBand string
	Changed        bool // small text gets another shade
}

func lookOf(accent, name string) look {
	ground, text, err := brand.Solid(accent)
	if err != nil {
		return look{}
	}
	light, dark, err := brand.Bands(accent)
	if err != nil {
		return look{}
	}
	if name == "" || card.HoldsCard(name) {
		name = "Your business"
	}
	if runes := []rune(name); len(runes) > 18 {
		name = string(runes[:17]) + "…"
	}
	return look{Name: name, Accent: accent, Ground: ground, Text: text, Band: light, DarkBand: dark, Changed: !brand.Readable(accent)}
}
