package mails

import (
	"strings"

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
	Heading string           // Subject, if empty
	Lines   []string         // paragraphs
	Paper   *receipt.Receipt // below the paragraphs; nil for none
	Facts   []Fact           // below them
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

func plainPaper(line func(...string), r receipt.Receipt) {
	line(r.Business)
	if r.ABN != "" {
		line("ABN ", r.ABN)
	}
	for _, text := range []string{r.Street, r.Phone} {
		if text != "" {
			line(text)
		}
	}
	line("Paid ", clock.Text(r.Paid, r.Paid.Location()))
	if r.Description != "" {
		line(r.Description)
	}
	line()
	for _, l := range r.Lines {
		line(l.Counted(), ": ", money.Label(l.Each*int64(l.Qty), r.Currency))
	}
	if text := view.Difference(r); text != "" {
		line("Difference accepted: ", text)
	}
	line("Total: ", money.Label(r.Amount, r.Currency))
	if tax := view.Tax(r); tax != "" {
		line(tax)
	}
	if r.Refunded > 0 {
		line("Refunded since: ", money.Label(r.Refunded, r.Currency))
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
