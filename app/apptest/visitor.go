package apptest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/internal/kit/check"
)

// Visitor is a browser without scripts that shows one page of the site: it presses buttons, and follows links and redirects.
type Visitor struct {
	Answer // the current page

	Path  string // of that page, with its query
	app   *App
	t     testing.TB
	doc   *html.Node
	typed map[string]string
}

// Visit opens a page.
func (a *App) Visit(t testing.TB, path string) *Visitor {
	t.Helper()
	v := &Visitor{app: a, t: t}
	v.open(path)
	return v
}

// Read continues from an answer, such as that of PostFile, which came from path.
func (a *App) Read(t testing.TB, path string, answer Answer) *Visitor {
	t.Helper()
	v := &Visitor{app: a, t: t}
	v.read(path, answer)
	return v
}

// Type fills in the field with the given name.
func (v *Visitor) Type(name, value string) *Visitor {
	v.t.Helper()
	if v.Find("input", "name="+name) == nil && v.Find("textarea", "name="+name) == nil && v.Find("select", "name="+name) == nil {
		v.t.Fatalf("%s has no field %q", v.Path, name)
	}
	v.typed[name] = value
	return v
}

// Tick checks the box with the given name and value, or that radio button instead of another.
func (v *Visitor) Tick(name, value string) *Visitor {
	v.t.Helper()
	box := v.Find("input", "name="+name, "value="+value)
	if box == nil {
		v.t.Fatalf("%s has no box %q with %q", v.Path, name, value)
	}
	for _, other := range all(v.doc, "input") {
		if attr(other, "type") == "radio" && attr(other, "name") == name {
			other.Attr = slices.DeleteFunc(other.Attr, func(a html.Attribute) bool { return a.Key == "checked" })
		}
	}
	box.Attr = append(box.Attr, html.Attribute{Key: "checked"})
	return v
}

// Press submits the form of the button with the given accessible name, which works without scripts.
func (v *Visitor) Press(name string) *Visitor {
	v.t.Helper()
	button := v.named("button", name)
	if has(button, "disabled") {
		v.t.Fatalf("%s: the button %q is disabled", v.Path, name)
	}
	form := v.formOf(button)
	fields := url.Values{}
	for control := range form.Descendants() {
		if value, ok := v.valueOf(control); ok {
			fields.Add(attr(control, "name"), value)
		}
	}
	if attr(button, "name") != "" {
		fields.Set(attr(button, "name"), attr(button, "value"))
	}
	action, _, _ := strings.Cut(cmp.Or(attr(button, "formaction"), attr(form, "action"), v.Path), "#")
	if method := attr(form, "method"); method == "" || strings.EqualFold(method, http.MethodGet) {
		v.open(action + "?" + fields.Encode())
		return v
	}
	v.read(action, v.app.Post(v.t, action, fields))
	return v
}

// Follow opens the link with the given accessible name.
func (v *Visitor) Follow(name string) *Visitor {
	v.t.Helper()
	v.open(attr(v.named("a", name), "href"))
	return v
}

// Find returns the first element of a kind below the page that has every attribute given as "name=value", or nil.
func (v *Visitor) Find(kind string, attributes ...string) *html.Node {
	for _, node := range all(v.doc, kind) {
		fits := true
		for _, wanted := range attributes {
			name, value, _ := strings.Cut(wanted, "=")
			fits = fits && attr(node, name) == value
		}
		if fits {
			return node
		}
	}
	return nil
}

// Shows fails the test unless the page has an element that Find finds.
func (v *Visitor) Shows(kind string, attributes ...string) {
	v.t.Helper()
	if v.Find(kind, attributes...) == nil {
		v.t.Errorf("%s (%d) shows no %s with %q", v.Path, v.Status, kind, attributes)
	}
}

// Hides fails the test if the page has an element that Find finds.
func (v *Visitor) Hides(kind string, attributes ...string) {
	v.t.Helper()
	if v.Find(kind, attributes...) != nil {
		v.t.Errorf("%s (%d) shows a %s with %q", v.Path, v.Status, kind, attributes)
	}
}

// Value returns the value of the field with the given name.
func (v *Visitor) Value(name string) string {
	v.t.Helper()
	input := v.Find("input", "name="+name)
	if input == nil {
		v.t.Fatalf("%s has no field %q", v.Path, name)
	}
	return attr(input, "value")
}

// valueOf returns the value that a control sends, and whether it sends any.
func (v *Visitor) valueOf(control *html.Node) (string, bool) {
	typed, ok := v.typed[attr(control, "name")]
	switch control.Data {
	case "input":
		switch attr(control, "type") {
		case "checkbox", "radio":
			return attr(control, "value"), has(control, "checked")
		case "submit":
			return "", false
		}
		if ok {
			return typed, true
		}
		return attr(control, "value"), true
	case "textarea":
		if ok {
			return typed, true
		}
		if control.FirstChild == nil {
			return "", true
		}
		return control.FirstChild.Data, true
	case "select":
		if ok {
			return typed, true
		}
		for _, option := range all(control, "option") {
			if has(option, "selected") {
				return attr(option, "value"), true
			}
		}
		return "", false
	default:
		return "", false
	}
}

// Texts returns the text of every element of a kind.
func (v *Visitor) Texts(kind string) []string {
	var texts []string
	for _, node := range all(v.doc, kind) {
		texts = append(texts, words(node))
	}
	return texts
}

// Text returns all words of the page, joined, without its title, which a browser shows elsewhere.
func (v *Visitor) Text() string { return strings.Join(v.Texts("body"), " ") }

// Title returns the page's title.
func (v *Visitor) Title() string { return strings.Join(v.Texts("title"), " ") }

// Has fails the test for each text that the page does not contain.
func (v *Visitor) Has(texts ...string) *Visitor {
	v.t.Helper()
	for _, text := range texts {
		if !strings.Contains(v.Text(), text) {
			v.t.Errorf("%s lacks %q:\n%s", v.Path, text, v.Text())
		}
	}
	return v
}

// HasNot fails the test for each text that the page contains.
func (v *Visitor) HasNot(texts ...string) *Visitor {
	v.t.Helper()
	for _, text := range texts {
		if strings.Contains(v.Text(), text) {
			v.t.Errorf("%s contains %q", v.Path, text)
		}
	}
	return v
}

func (v *Visitor) open(path string) {
	v.t.Helper()
	v.read(path, v.app.Get(v.t, path))
}

func (v *Visitor) read(path string, answer Answer) {
	v.t.Helper()
	for range 5 {
		if answer.Status != http.StatusSeeOther {
			break
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(answer.Location, v.app.URL), "#")
		answer = v.app.Get(v.t, path)
	}
	doc, err := html.ParseWithOptions(strings.NewReader(answer.Body), html.ParseOptionEnableScripting(false))
	check.Must(v.t, err)
	v.Path, v.Answer, v.doc, v.typed = path, answer, doc, map[string]string{}
	if n := len(v.Texts("h1")); n > 1 {
		v.t.Errorf("%s has %d headings of the first level", path, n)
	}
}

func (v *Visitor) named(kind, name string) *html.Node {
	v.t.Helper()
	for _, node := range all(v.doc, kind) {
		if attr(node, "aria-label") == name || attr(node, "aria-label") == "" && words(node) == name {
			return node
		}
	}
	v.t.Fatalf("%s (%d) has no %s %q:\n%s", v.Path, v.Status, kind, name, v.Text())
	return nil
}

func (v *Visitor) formOf(button *html.Node) *html.Node {
	v.t.Helper()
	if id := attr(button, "form"); id != "" {
		if form := v.Find("form", "id="+id); form != nil {
			return form
		}
	}
	for node := range button.Ancestors() {
		if node.Data == "form" {
			return node
		}
	}
	v.t.Fatalf("%s: the button %q belongs to no form", v.Path, words(button))
	return nil
}

func all(below *html.Node, kind string) []*html.Node {
	var found []*html.Node
	for node := range below.Descendants() {
		if node.Type == html.ElementNode && node.Data == kind {
			found = append(found, node)
		}
	}
	return found
}

func attr(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(node *html.Node, name string) bool {
	return slices.ContainsFunc(node.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// words returns what a person reads, without the data of islands.
func words(node *html.Node) string {
	var text strings.Builder
	for part := range node.Descendants() {
		if part.Type == html.TextNode && part.Parent.Data != "script" {
			text.WriteString(part.Data)
			if next := part.NextSibling; part.Parent.Data != "bdi" && (next == nil || next.Data != "bdi") { // which is a part of its sentence
				text.WriteByte(' ')
			}
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
