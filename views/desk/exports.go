package desk

import (
	"net/url"
	"strconv"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/ui"
)

// Exports is the page on which the books are downloaded.
type Exports struct {
	Frame    ui.Desk
	Typed    url.Values
	Problems fault.Problems // by the name of a field
	Notice   string         // why nothing was made
	List     []books.Export
}

// These are the problems.
const (
	BadMonth    = "Enter a month like 2027-01"
	BadKind     = "Choose what to download"
	BusyExports = "Other exports are being prepared just now. Try again in a few seconds."
	ManyExports = "Two large exports are already being prepared. Wait until they are done."
)

var kindNames = map[books.ExportKind]string{
	books.ExportPayments: "Payments", books.ExportLines: "Items sold", books.ExportRefunds: "Refunds",
	books.ExportDisputes: "Disputes", books.ExportPayouts: "Payouts",
}

// KindName returns the name of a kind of table.
func KindName(kind books.ExportKind) string { return kindNames[kind] }

// fields returns the fields of both forms.
func (m Exports) fields() (kinds ui.Choice, from, to, month ui.Field) {
	of := func(f ui.Field) ui.Field {
		f.Value, f.Required = m.Typed.Get(f.Name), true
		return ui.Fields(m.Problems).Of(f)
	}
	kinds.Field = of(ui.Field{Name: "kind", Label: "What"})
	kinds.Options = []ui.Option{
		{Value: string(books.ExportPayments), Hint: "Each payment with method, reference and GST"},
		{Value: string(books.ExportLines), Hint: "Each line of each paid order"},
		{Value: string(books.ExportRefunds), Hint: "What you refunded, with the reason"},
		{Value: string(books.ExportDisputes), Hint: "What banks took back and returned"},
		{Value: string(books.ExportPayouts), Hint: "What reached your bank account, with fees"},
	}
	for i, o := range kinds.Options {
		kinds.Options[i].Label, kinds.Options[i].Chosen = kindNames[books.ExportKind(o.Value)], o.Value == kinds.Value
	}
	kinds.Value = ""
	return kinds, of(ui.Field{Name: "from", Label: "First day", Type: "date"}), of(ui.Field{Name: "to", Label: "Last day", Type: "date"}),
		of(ui.Field{Name: "month", Label: "Month", Type: "month", Pattern: "[0-9]{4}-[0-9]{2}", Placeholder: "2027-01"})
}

// mode is the choice between real and test payments, for one of the forms.
func (m Exports) mode(form string) ui.Choice {
	return ui.Choice{
		Field: ui.Field{ID: form + "-mode", Name: "mode", Label: "Mode"},
		Options: []ui.Option{
			{Value: "", Label: "Real payments", Chosen: m.Typed.Get("mode") == ""},
			{Value: "test", Label: "Test payments", Chosen: m.Typed.Get("mode") == "test"},
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

func exportURL(frame ui.Desk, e books.Export) string { return frame.At("exports/" + e.ID.String()) }

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
