package pay_test

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/must"
	"forecourt/internal/pay/payment"
	"forecourt/internal/site/legal"
	"forecourt/views/layout"
	"forecourt/views/pay"
	"forecourt/views/ui"
)

// sample returns the page of a test-mode order of table 4 in a state.
func sample(shown pay.State) pay.Page {
	merchant := layout.Merchant{Code: "panezski", Name: "Panezski"}
	coffee := payment.Line{Name: "Flat white", Qty: 2, PriceMinor: 450, Status: state.LineDone}
	toast := payment.Line{Name: "Avocado on toast", Qty: 1, PriceMinor: 99152}
	p := pay.Page{
		Transaction: &payment.Transaction{Lines: []payment.Line{coffee, toast}, Transaction: db.Transaction{
			ID: "trx-1", AmountMinor: 100052, Currency: "AUD", TestMode: true, TableName: "4",
		}},
		Frame: layout.Customer{Title: "Payment", Merchant: merchant}, Merchant: merchant, State: shown,
		URL: "/pos/panezski/trx-1", RetryURL: "/pos/panezski/trx-1/retry", Descriptor: "LAT*panezski",
		MenuURL: "/pos/panezski?t=4",
		Card: pay.CardForm{
			Name:     ui.Field{ID: "name", Name: "name", Label: "Name on Card", Autocomplete: "cc-name"},
			Email:    ui.Field{ID: "email", Name: "email", Label: "Customer Email", Type: "email", Autocomplete: "email"},
			Number:   ui.Field{ID: "card", Name: "card", Label: "Card Number", Value: "4111 1111 1111 1111", Autocomplete: "cc-number"},
			Expiry:   ui.Field{ID: "exp", Name: "exp", Label: "Expiry", Value: "12/30", Autocomplete: "cc-exp"},
			CVC:      ui.Field{ID: "cvc", Name: "cvc", Label: "CVC", Masked: true, Value: "123", Autocomplete: "cc-csc"},
			Key:      "key-1",
			PayLabel: "Pay $1,000.52",
		},
	}
	switch shown {
	case pay.Waiting:
		p.PollSeconds = 1
	case pay.Success:
		p.NextURL = p.URL + "?next"
		p.Places = []pay.Place{{Name: "Bar", Lines: []payment.Line{coffee}}, {Name: "Kitchen", Lines: []payment.Line{toast}}}
	case pay.Failure:
		p.ErrorMsg = "Insufficient funds"
	case pay.Status:
		p.PollSeconds = 4
		p.Places = []pay.Place{{Name: "Bar", Lines: []payment.Line{coffee}, Done: true}, {Name: "Kitchen", Lines: []payment.Line{toast}}}
	case pay.Text:
		p.Status = "refunded"
	case pay.Form, pay.Completed, pay.Expired:
	}
	return p
}

func source(t *testing.T, c templ.Component) string {
	t.Helper()
	var page strings.Builder
	ctx := layout.With(t.Context(), layout.Chrome{Provider: legal.Provider{
		Name: "Forecourt", Year: "2025", PrivacyURL: "/privacy", TermsURL: "/terms",
	}})
	must.NoError(t, c.Render(ctx, &page))
	return page.String()
}

func render(t *testing.T, c templ.Component) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(source(t, c)))
	must.NoError(t, err)
	return root
}

func find(root *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && match(n) {
			found = append(found, n)
		}
	}
	return found
}

func single(t *testing.T, what string, found []*html.Node) *html.Node {
	t.Helper()
	must.Equal(t, len(found), 1, "… of %s", what)
	return found[0]
}

func all(root *html.Node, tag string) []*html.Node {
	return find(root, func(n *html.Node) bool { return n.Data == tag })
}

func one(t *testing.T, root *html.Node, tag string) *html.Node {
	t.Helper()
	return single(t, tag, all(root, tag))
}

func named(t *testing.T, root *html.Node, tag, name string) *html.Node {
	t.Helper()
	return single(t, tag+" "+name, find(root, func(n *html.Node) bool { return n.Data == tag && text(n) == name }))
}

func byID(t *testing.T, root *html.Node, id string) *html.Node {
	t.Helper()
	return single(t, "#"+id, find(root, func(n *html.Node) bool { return attr(n, "id") == id }))
}

func byName(t *testing.T, root *html.Node, name string) *html.Node {
	t.Helper()
	return single(t, "input "+name, find(root, func(n *html.Node) bool { return n.Data == "input" && attr(n, "name") == name }))
}

func attr(n *html.Node, key string) string {
	value, _ := lookup(n, key)
	return value
}

func lookup(n *html.Node, key string) (value string, found bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// text returns what a person reads in n, with single spaces.
func text(n *html.Node) string {
	var words strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && c.Parent.Data != "script" {
			words.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(words.String()), " ")
}
