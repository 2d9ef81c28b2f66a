package demo

import (
	"forecourt/static"
	"forecourt/views/ui"
)

// Documents lists the documents in reading order.
var Documents = []ui.Link{
	{Name: "Documentation", URL: "/docs"},
	{Name: "Quick start", URL: "/docs/quick-start"},
	{Name: "Card payments", URL: "/docs/cards"},
	{Name: "Hosted payment page", URL: "/docs/hosted-page"},
	{Name: "Notify call", URL: "/docs/notify"},
	{Name: "API reference", URL: "/docs/api"},
	{Name: "Test cards", URL: "/docs/test-cards"},
	{Name: "Terminal SDK", URL: "/docs/terminal"},
	{Name: "Embedding", URL: "/docs/embedding"},
	{Name: "QR ordering", URL: "/docs/qr-ordering"},
	{Name: "Pay links and batches", URL: "/docs/batch"},
	{Name: "Errors", URL: "/docs/errors"},
}

// Document is a document, ready to render.
type Document struct {
	ui.Link // in the navigation

	Heading  string
	HTML     string    // made from our own Markdown
	Sections []ui.Link // to its headings
}

func (p Document) site() ui.Site {
	return ui.Site{
		Title: p.Name, Description: p.Name + ": how to take payments with this site.",
		Styles: []string{static.URL("docs.css")}, Scripts: []string{static.URL("docs.js")}, Nav: ui.Tabs(Documents, p.URL), NavLabel: "Documents",
	}
}

// next is the document after this one; nil after the last.
func (p Document) next() *ui.Link {
	for i, e := range Documents {
		if e.URL == p.URL && i+1 < len(Documents) {
			return &Documents[i+1]
		}
	}
	return nil
}
