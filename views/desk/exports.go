package desk

import (
	"strconv"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Exports is the page on which the books are downloaded.
type Exports struct {
	Frame    layout.Desk
	Typed    ExportTyped
	Problems fault.Problems // by the name of a field
	Notice   string         // why nothing was made
	List     []books.Export
}

// ExportTyped is what was chosen and typed.
type ExportTyped struct{ Do, Kind, From, To, Month, Mode string }

// These are the problems.
const (
	BadMonth    = "Enter a month like 2027-01"
	BadKind     = "Choose what to download"
	BusyExports = "Other exports are being prepared just now. Try again in a few seconds."
	ManyExports = "Two large exports are already being prepared. Wait until they are done."
)

var kindNames = map[books.ExportKind]string{
	books.ExportPayments: "Payments", books.ExportLines: "Items sold", books.ExportRefunds: "Refunds", books.ExportPayouts: "Payouts",
}

var kindHints = map[books.ExportKind]string{
	books.ExportPayments: "Each payment with method, reference and GST", books.ExportLines: "Each line of each paid order",
	books.ExportRefunds: "What you refunded, with the reason", books.ExportPayouts: "What reached your bank account, with fees",
}

// KindName returns the name of a kind of table.
func KindName(kind books.ExportKind) string { return kindNames[kind] }

func (m Exports) kinds() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "kind", Name: "kind", Label: "What", Required: true, Problem: m.Problems["kind"]}}
	for _, kind := range books.ExportKinds() {
		c.Options = append(c.Options, ui.Option{
			Value: string(kind), Label: kindNames[kind], Hint: kindHints[kind], Chosen: string(kind) == m.Typed.Kind,
		})
	}
	return c
}

func (m Exports) from() ui.Field {
	return ui.Field{
		ID: "from", Name: "from", Label: "First day", Type: "date", Value: m.Typed.From, Required: true, Problem: m.Problems["from"],
	}
}

func (m Exports) to() ui.Field {
	return ui.Field{ID: "to", Name: "to", Label: "Last day", Type: "date", Value: m.Typed.To, Required: true, Problem: m.Problems["to"]}
}

func (m Exports) month() ui.Field {
	return ui.Field{
		ID: "month", Name: "month", Label: "Month", Type: "month", Value: m.Typed.Month, Required: true, Problem: m.Problems["month"],
		Pattern: "[0-9]{4}-[0-9]{2}", Placeholder: "2027-01",
	}
}

// mode is the choice between real and test payments, for one of the forms.
func (m Exports) mode(form string) ui.Choice {
	return ui.Choice{
		Field: ui.Field{ID: form + "-mode", Name: "mode", Label: "Mode"},
		Options: []ui.Option{
			{Value: "", Label: "Real payments", Chosen: m.Typed.Mode == ""},
			{Value: "test", Label: "Test payments", Chosen: m.Typed.Mode == "test"},
		},
	}
}

// exportSpan returns the days of a table in words.
func exportSpan(e books.Export) string {
	first, last := dayOf(e.Since), dayOf(e.Before.Add(-1))
	if first == last {
		return first
	}
	return first + " to " + last
}

// exportState returns the state of a long table in words.
func exportState(e books.Export) string {
	switch {
	case e.Done():
		return "Ready"
	case *e.RowsTotal > 0:
		return strconv.Itoa(e.Percent()) + " %"
	}
	return "Waiting"
}

// ExportFragment is the fragment that follows the making of a long table.
const ExportFragment = "export"

func exportURL(frame layout.Desk, e books.Export) string { return frame.At("exports/" + e.ID.String()) }

func progress(e books.Export) string {
	if *e.RowsTotal == 0 {
		return "It will start in a moment."
	}
	return thousands(e.RowsDone) + " of " + thousands(*e.RowsTotal) + " so far"
}

// thousands returns a count with commas.
func thousands(n int64) string {
	text := money.Format(n * 100)
	return text[:len(text)-len(".00")]
}
