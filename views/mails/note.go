package mails

import "strings"

// Sender is the brand a letter comes from.
type Sender struct {
	Name   string // the provider or the merchant
	Accent string // #rrggbb
	OnTop  string // colour of text on the accent
	Foot   string // one sentence that says who this is and why the recipient gets the letter
}

// Note is a short letter: a heading, paragraphs, perhaps facts and a button.
type Note struct {
	Sender
	Subject string
	Heading string
	Lines   []string // paragraphs
	Facts   []Fact   // below the paragraphs
	Button  *Button
	After   []string // small paragraphs below the button
	Test    bool     // about play money
}

// Fact is a named value.
type Fact struct{ Name, Value string }

// Button leads to a page.
type Button struct{ Label, URL string }

// Plain is the same letter as text.
func (n Note) Plain() string {
	var b strings.Builder
	if n.Test {
		b.WriteString("TEST MODE: no real money moved.\n\n")
	}
	b.WriteString(n.Heading + "\n\n")
	for _, line := range n.Lines {
		b.WriteString(line + "\n\n")
	}
	for _, fact := range n.Facts {
		b.WriteString(fact.Name + ": " + fact.Value + "\n")
	}
	if len(n.Facts) > 0 {
		b.WriteString("\n")
	}
	if n.Button != nil {
		b.WriteString(n.Button.Label + ":\n" + n.Button.URL + "\n\n")
	}
	for _, line := range n.After {
		b.WriteString(line + "\n\n")
	}
	b.WriteString("-- \n" + n.Name + "\n" + n.Foot + "\n")
	return b.String()
}
