package mails

import (
	"strconv"
	"strings"

	"forecourt/internal/run/mail"
	"forecourt/views/receipt"
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
	Heading string            // Subject, if empty
	Lines   []string          // paragraphs
	Paper   *receipt.Document // below the paragraphs; nil for none
	Facts   []Fact            // below them
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
type Fact = receipt.Fact

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

func plainPaper(line func(...string), d receipt.Document) {
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
