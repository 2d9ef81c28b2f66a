package staff

import (
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/settlement"
	"forecourt/views/ui"
)

// Fees is the form for the fees of every shop, or for those of one.
type Fees struct {
	settlement.FeeReview
	Frame     ui.Site
	URL, Back string // Back leads to the shop; "" for every shop
	Done      string // what was done just now, in words
	// Typed holds the texts of the fields of a form that is not kept, nil for one that shows what is stored.
	Typed    func(name string) string
	Problems fault.Problems
}

func feesNow(f settlement.Fees) string {
	switch {
	case !f.Set():
		return "Not set. Pages say “" + settlement.AskForFees + "”."
	case f.Own:
		return f.String() + ", agreed with this business"
	default:
		return f.String()
	}
}

func (m Fees) lead() string {
	if m.Name == "" {
		return "What every business pays that has agreed nothing else. Visitors see it on the start page within a few seconds."
	}
	return "What this business pays instead of the fees of every business. It sees them on its payouts page."
}

func (m Fees) removeLabel() string {
	if m.Name == "" {
		return "Remove the fees"
	}
	return "Take the fees of every business"
}

func (m Fees) fields() []ui.Field {
	field := func(name, label, hint string, stored int64) ui.Field {
		f := ui.Fields(m.Problems).Of(ui.Field{Name: name, Label: label, Hint: hint, InputMode: "decimal", Autocomplete: "off", MaxLength: 20})
		if m.Typed != nil {
			f.Value = m.Typed(name)
		} else if m.Set() {
			f.Value = money.Wire(stored)
		}
		return f
	}
	return []ui.Field{
		field("rate", "Percentage of each payment", "Such as 1.6. 0 for none.", m.Rate),
		field("fixed", "For each payment, in "+m.Unit, "Such as 0.10. 0 for none.", m.FixedMinor),
		field("monthly", "For each month, in "+m.Unit, "Such as 20. 0 for none.", m.MonthlyMinor),
	}
}

// The values of the field gst.
const (
	GSTIncluded = "included"
	GSTAdded    = "added"
)

func (m Fees) gst() ui.Choice {
	added := m.GstAdded
	if m.Typed != nil {
		added = m.Typed("gst") == GSTAdded
	}
	return ui.Choice{Field: ui.Field{ID: "gst", Name: "gst", Label: "GST"}, Options: []ui.Option{
		{Value: GSTIncluded, Label: "Included in the fees", Chosen: !added}, {Value: GSTAdded, Label: "Added to the fees", Chosen: added},
	}}
}
