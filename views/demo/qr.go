package demo

import (
	"cmp"
	"net/url"

	"github.com/a-h/templ"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/order"
	"forecourt/views/ui"
)

// QRBadge is the fragment with the code and its label and links.
const QRBadge = "badge"

// QRChoice says what a code is for: a table of a business, or every table from 1 to Tables.
type QRChoice struct{ Client, Table, Tables string }

// Path returns the address of the demo with this choice.
func (c QRChoice) Path() string {
	return "/demo/qr?" + url.Values{"client": {c.Client}, "table": {c.Table}, "tables": {c.Tables}}.Encode()
}

// file returns the address of the code as a file.
func (c QRChoice) file(suffix string) templ.SafeURL {
	return templ.SafeURL("/demo/qr/" + c.Client + "." + suffix + "?" + url.Values{"table": {c.Table}}.Encode())
}

// QR is the demo of QR codes that lead to a menu.
type QR struct {
	QRChoice

	Page       Page
	Problems   fault.Problems
	Businesses []string // their codes, as they are listed; none: the caller has no shop
	Signed     bool
	Cards      map[string]ui.QRBusiness
	Code       *ui.QRCode // nil while something is wrong with the choice
}

// problem says why there is no code.
func (q QR) problem() string {
	return cmp.Or(q.Problems["client"], q.Problems["table"], "Choose a business")
}

func (q QR) client() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "client", Name: "client", Label: "Business", Problem: q.Problems["client"]}}
	for _, code := range q.Businesses {
		c.Options = append(c.Options, ui.Option{Value: code, Label: q.Cards[code].Name, Chosen: code == q.Client})
	}
	return c
}

func (q QR) table() ui.Field {
	return ui.Field{
		ID: "table", Name: "table", Label: "Table number", Hint: "Leave it blank for takeaway", Value: q.Table, Autocomplete: "off",
		EnterKeyHint: "done", MaxLength: order.MaxName, Problem: q.Problems["table"],
	}
}

func (q QR) tables() ui.Field {
	return ui.Field{
		ID: "tables", Name: "tables", Label: "Number of tables", Hint: "From 1 to 200", Value: q.Tables,
		InputMode: "numeric", Autocomplete: "off", EnterKeyHint: "go", Problem: q.Problems["tables"],
	}
}
