package mails

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	view "forecourt/views/receipt"
)

// Sender is the brand a letter comes from.
type Sender struct {
	Name   string // the provider or the merchant
	Accent string // #rrggbb
	OnTop  string // colour of text on the accent
}

// Note is a short letter: a heading, paragraphs, perhaps a receipt, facts and a button.
type Note struct {
	Sender         // the provider, if it has no name
	To, Bcc string // nothing is written to nobody
	Subject string
	Heading string         // Subject, if empty
	Lines   []string       // paragraphs
	Paper   *view.Document // below the paragraphs; nil for none
	Facts   []Fact         // below them
	Button  *Button
	After   []string // small paragraphs below the button
	Why     string   // the recipient gets the letter, after "because"
	Test    bool     // about play money
	File    *mail.File
	// Counts and Payment are mail.Letter's Business and Payment.
	Counts, Payment string
	// Hold is the code of the business whose admins alone the letter goes to, while others find it in the outbox: in test mode anybody can
	// pay and name anybody's address. Empty for a letter that goes to everybody.
	Hold string
}

// Fact is a named value.
type Fact = view.Fact

// Button leads to a page.
type Button struct{ Label, URL string }

// Plain is the same letter as text.
func (n Note) Plain() string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	if n.Test {
		line("TEST MODE: no real money moved.\n")
	}
	line(n.Heading, "\n")
	for _, text := range n.Lines {
		line(text, "\n")
	}
	if n.Paper != nil {
		plainPaper(line, *n.Paper)
	}
	for _, fact := range n.Facts {
		line(fact.Name, ": ", fact.Value)
	}
	if len(n.Facts) > 0 {
		line()
	}
	if n.Button != nil {
		line(n.Button.Label, ":\n", n.Button.URL, "\n")
	}
	for _, text := range n.After {
		line(text, "\n")
	}
	line("-- \n", n.Name, "\n", n.Why)
	return b.String()
}

func plainPaper(line func(...string), d view.Document) {
	line(d.Business)
	if d.ABN != "" {
		line("ABN ", d.ABN)
	}
	line("Paid ", d.Paid)
	if d.Description != "" {
		line(d.Description)
	}
	line()
	for _, l := range d.Lines {
		line(strconv.Itoa(l.Qty), " × ", l.Called(), ": ", l.Amount)
	}
	line("Total: ", d.Amount)
	if d.Tax != "" {
		line(d.Tax)
	}
	if d.Refunded != "" {
		line("Refunded since: ", d.Refunded)
	}
	line()
}

// The colours of a letter, which is light in every mail program.
const (
	ground     = "#f3f5f9" // around the letter
	sheet      = "#ffffff"
	border     = "#e2e5ec"
	ink        = "#14171f"
	quiet      = "#5a6272"
	testGround = "#2b2100"
	onTest     = "#ffd54a"
)

// styled returns a style as an attribute. Many mail programs ignore style sheets.
func styled(style string) templ.Attributes { return templ.Attributes{"style": style} }

// Styles that carry the sender's colours. Both are "#rrggbb" from the brand, never what somebody typed.

func bandStyle(s Sender) string {
	return "padding:18px 28px;border-radius:14px 14px 0 0;background:" + s.Accent + ";color:" + s.OnTop + ";font-size:18px;font-weight:700"
}

func buttonStyle(s Sender) string {
	return "display:inline-block;padding:14px 24px;border-radius:8px;background:" + s.Accent + ";color:" +
		s.OnTop + ";font-size:16px;font-weight:700;text-decoration:none"
}

// Document returns a receipt as its letters and its page show it.
func Document(r receipt.Receipt) view.Document {
	d := view.Document{
		Heading: "Receipt", Business: r.Business, ABN: r.ABN, Amount: money.Label(r.Amount, r.Currency),
		Paid: clock.Text(r.Paid, r.Paid.Location()), PaidAt: r.Paid.Format(time.RFC3339), Description: r.Description,
		Test: r.Test,
	}
	switch {
	case r.GST > 0:
		d.Heading, d.Tax = "Tax invoice", "Total price includes GST of "+money.Label(r.GST, r.Currency)+"."
	case r.ABN != "":
		d.Tax = "No GST was charged."
	}
	if r.Refunded > 0 {
		d.Refunded = money.Label(r.Refunded, r.Currency)
	}
	for _, line := range r.Lines {
		d.Lines = append(d.Lines, view.Line{
			Name: line.Name, Options: line.Options, Qty: line.Qty, Amount: money.Label(line.Each*int64(line.Qty), r.Currency),
		})
	}
	for _, fact := range []view.Fact{
		{Name: "Paid with", Value: view.CardText(r.Method, r.CardBrand, r.CardLastFour)},
		{Name: "Paid by", Value: r.CustomerName}, {Name: "Table", Value: r.Table}, {Name: "Order for", Value: r.Name},
		{Name: "Reference", Value: r.Reference}, {Name: "On your statement", Value: r.Descriptor},
		{Name: "Transaction", Value: r.TransactionID}, {Name: "Payment number", Value: r.GatewayID},
		{Name: "Gateway reference", Value: r.GatewayReference}, {Name: "Bank reference", Value: r.BankTransactionNo},
	} {
		if fact.Value != "" {
			d.Facts = append(d.Facts, fact)
		}
	}
	return d
}
