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

	Seen     string // the details that the form was made from
	Problems fault.Problems
	Merchant string // of a new business; "" for an existing one
	Empty    bool   // nobody has filled it in yet
	Saved    bool
	Logo     Picture
}

// New reports whether the business does not exist yet.
func (d Details) New() bool { return d.Merchant != "" }

// summary returns the fields for the ErrorSummary.
func (d Details) summary() []ui.Field {
	names := []string{"name", "code", "tagline", "country", "currency", "timezone", "street", "phone", "hours", "mail", "abn", "locations"}
	for n := 1; n < len(d.Locations); n++ {
		names = append(names, shop.PlaceField(n))
	}
	return append(ui.Fields(d.Problems).Summary(append(names, "accent")...), d.Logo.field())
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

// look is a small page in a business's colour. It is empty for a colour that is not valid.
type look struct {
	Name, Accent string
	Themes       [2]brand.Theme // light, dark
	Changed      bool           // small text gets another shade
}

func lookOf(accent, name string) look {
	light, dark, err := brand.Themes(accent)
	if err != nil {
		return look{}
	}
	if name == "" || card.HoldsCard(name) {
		name = "Your business"
	}
	if runes := []rune(name); len(runes) > 18 {
		name = string(runes[:17]) + "…"
	}
	return look{Name: name, Accent: accent, Themes: [2]brand.Theme{light, dark}, Changed: !brand.Readable(accent)}
}

// Picture is a field for a picture: of an item, or the logo.
type Picture struct {
	Name            string     // of the field; that of the file ends in "-file"
	Value           string     // what the form keeps: the address of the picture, or the name of an asset; "" for none
	Shown           ui.Picture // the same to look at
	Label, OffLabel string
	Hint            string
	Problem         string // in words
}

func (p Picture) fileID() string { return p.Name + "-file" }

// field is the control for a file, for the summary of the problems.
func (p Picture) field() ui.Field {
	return ui.Field{ID: p.fileID(), Name: p.fileID(), Problem: p.Problem}
}

// LogoField returns the field for a shop's logo. value is what the form keeps, and shown is the same picture for display.
func LogoField(value string, shown ui.Picture, problem string) Picture {
	shown.Alt = "Your logo"
	return Picture{
		Name: "logo", Value: value, Shown: shown, Label: "Logo (optional)",
		OffLabel: "Remove the logo", Hint: "Square works best. " + pictureHint,
		Problem: problem,
	}
}

// NewLogoField returns the field for the logo of a business that is still to be made. carried is the picture as the form keeps it.
func NewLogoField(carried string, problem string) Picture {
	p := LogoField(carried, ui.Picture{}, problem)
	if carried != "" {
		p.Shown.Src = "data:image/jpeg;base64," + carried
		p.Hint = "Your logo is kept. Choose another file to replace it. " + pictureHint
	}
	return p
}

// ItemPictureField returns the field for the picture of an item.
func ItemPictureField(value string, shown ui.Picture, problem string) Picture {
	shown.Alt = "The picture of this item"
	return Picture{
		Name: "picture", Value: value, Shown: shown, Label: "Picture (optional)", OffLabel: "Remove the picture", Hint: pictureHint,
		Problem: problem,
	}
}

var pictureHint = "JPEG, PNG or WebP, at most " + ui.MostBytes + "."
