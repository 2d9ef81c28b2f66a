package demo

import (
	"forecourt/static"
	"forecourt/views/layout"
)

// DocumentEntry is a document in the navigation.
type DocumentEntry struct{ Path, Name string }

// Documents lists the documents in reading order.
var Documents = []DocumentEntry{
	{"/docs", "Documentation"},
	{"/docs/quick-start", "Quick start"},
	{"/docs/cards", "Card payments"},
	{"/docs/hosted-page", "Hosted payment page"},
	{"/docs/notify", "Notify call"},
	{"/docs/api", "API reference"},
	{"/docs/test-cards", "Test cards"},
	{"/docs/terminal", "Terminal SDK"},
	{"/docs/qr-ordering", "QR ordering"},
	{"/docs/batch", "Pay links and batches"},
	{"/docs/errors", "Errors"},
}

// Document is a document, ready to render.
type Document struct {
	Path, Title string // Title is the document's name in the navigation
	Heading     string
	HTML        string // made from our own Markdown
	Sections    []DocumentSection
}

// DocumentSection is a heading that a link leads to.
type DocumentSection struct{ ID, Title string }

func (p Document) site() layout.Site {
	return layout.Site{
		Title: p.Title, Description: p.Title + ": how to take payments with this site.",
		Styles: []string{static.URL("docs.css")}, Scripts: []string{static.URL("docs.js")},
	}
}

// next is the document after this one; nil after the last.
func (p Document) next() *DocumentEntry {
	for i, e := range Documents {
		if e.Path == p.Path && i+1 < len(Documents) {
			return &Documents[i+1]
		}
	}
	return nil
}
