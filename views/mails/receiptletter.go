package mails

import (
	"strconv"
	"strings"

	"forecourt/views/receipt"
)

// Receipt is a letter with a receipt.
type Receipt struct {
	Sender
	Subject  string
	Lead     string // one sentence above the receipt
	Document receipt.Document
	Facts    []receipt.Fact // after those of the document: for this reader only
	URL      string         // the receipt's page
}

// Plain is the same letter as text.
func (r Receipt) Plain() string {
	d := r.Document
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	if d.Test {
		line("TEST MODE: no real money moved.\n")
	}
	line(d.Heading, "\n\n", r.Lead, "\n")
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
	for _, f := range r.facts() {
		line(f.Name, ": ", f.Value)
	}
	line("\n", button, ":\n", r.URL, "\n\n-- \n", r.Name, "\n", r.Foot)
	return b.String()
}

const button = "See, print or check this receipt"

func (r Receipt) facts() []receipt.Fact {
	return append(append([]receipt.Fact{}, r.Document.Facts...), r.Facts...)
}
