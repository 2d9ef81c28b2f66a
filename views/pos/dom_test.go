package pos

import (
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"forecourt/internal/kit/must"
	"forecourt/internal/site/legal"
	"forecourt/views/layout"
)

// element is a rendered element with the methods that tests need.
type element struct{ *html.Node }

func render(t *testing.T, c templ.Component) element {
	t.Helper()
	var page strings.Builder
	ctx := layout.With(t.Context(), layout.Chrome{Provider: legal.Provider{
		Name: "Forecourt", Year: "2025", PrivacyURL: "/privacy", TermsURL: "/terms",
	}})
	must.NoError(t, c.Render(ctx, &page))
	root, err := html.Parse(strings.NewReader(page.String()))
	must.NoError(t, err)
	return element{root}
}

// all returns the elements of a kind below e that have every attribute, given as "name=value" or "name". A class matches
// any one of an element's classes.
func (e element) all(kind string, attributes ...string) []element {
	var found []element
	for node := range e.Descendants() {
		if node.Type == html.ElementNode && node.Data == kind && (element{node}).has(attributes) {
			found = append(found, element{node})
		}
	}
	return found
}

// one returns the only such element.
func (e element) one(t *testing.T, kind string, attributes ...string) element {
	t.Helper()
	found := e.all(kind, attributes...)
	must.Equal(t, len(found), 1, "elements <%s %s>", kind, strings.Join(attributes, " "))
	return found[0]
}

func (e element) has(attributes []string) bool {
	for _, wanted := range attributes {
		name, value, valued := strings.Cut(wanted, "=")
		got, ok := e.attribute(name)
		switch {
		case !ok:
			return false
		case name == "class" && !slices.Contains(strings.Fields(got), value):
			return false
		case name != "class" && valued && got != value:
			return false
		}
	}
	return true
}

func (e element) attribute(name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// text returns what a person reads, with single spaces.
func (e element) text() string {
	var words strings.Builder
	for node := range e.Descendants() {
		if node.Type == html.TextNode && node.Parent.Data != "script" {
			words.WriteString(" " + node.Data)
		}
	}
	return strings.Join(strings.Fields(words.String()), " ")
}

func texts(elements []element) []string {
	var all []string
	for _, e := range elements {
		all = append(all, e.text())
	}
	return all
}
