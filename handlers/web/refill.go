package web

import (
	"bytes"
	"context"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// BackURL returns the address of the page from which a kept form was sent. That page shows again what was typed; see refill.
func (f KeptForm) BackURL() string {
	u, err := url.Parse(f.Back)
	if err != nil || u.Path == "/" {
		return f.Back
	}
	query := u.Query()
	query.Set(keptParam, f.ID.String())
	u.RawQuery = query.Encode()
	return u.String()
}

// refillKey is the context key of a KeptForm that is to be filled back into its page.
type refillKey struct{}

// refill makes Render put what was typed back into the page, if the address names a kept form that was sent from that page. It leaves out
// passwords and files. Pages do not have to know about this, and it needs no script.
func (s *Sessions) refill(r *http.Request) *http.Request {
	id, ok := KeptID(r)
	if !ok || r.Method != http.MethodGet || r.Header.Get("HX-Request") != "" {
		return r
	}
	f, err := s.FindForm(r, id)
	from, bad := url.Parse(f.Back)
	if err != nil || bad != nil || from.Path != r.URL.Path {
		return r // the form was sent meanwhile, or belongs to another page or session
	}
	return r.WithContext(context.WithValue(r.Context(), refillKey{}, f))
}

// refilled returns a page with the form that refill found filled in.
func refilled(r *http.Request, page []byte) []byte {
	if f, ok := r.Context().Value(refillKey{}).(KeptForm); ok {
		return f.fill(page)
	}
	return page
}

// fill puts what was typed into the form of a page. It returns the page unchanged if it has no such form.
func (f KeptForm) fill(page []byte) []byte {
	typed := f.typed()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil || typed == nil {
		return page
	}
	for node := range doc.Descendants() {
		if is(node, "form") && f.from(node, typed) {
			fillIn(node, typed)
			var filled bytes.Buffer
			if html.Render(&filled, doc) == nil {
				return filled.Bytes()
			}
		}
	}
	return page
}

// typed returns the fields of the form, without its files; nil if it cannot be read.
func (f KeptForm) typed() url.Values {
	media, params, err := mime.ParseMediaType(f.Media)
	if err != nil {
		return nil
	}
	if media != "multipart/form-data" {
		values, err := url.ParseQuery(string(f.Body))
		if err != nil {
			return nil
		}
		return values
	}
	form, err := multipart.NewReader(bytes.NewReader(f.Body), params["boundary"]).ReadForm(int64(len(f.Body)))
	if err != nil {
		return nil
	}
	defer func() { _ = form.RemoveAll() }()
	return form.Value
}

// from reports whether this form of a page is the one that was sent. A page may have several forms for one address, with different hidden
// fields or buttons.
func (f KeptForm) from(form *html.Node, typed url.Values) bool {
	to, err := url.Parse(attribute(form, "action"))
	if err != nil || to.Path != f.Path || !strings.EqualFold(attribute(form, "method"), http.MethodPost) {
		return false
	}
	buttons, pressed := false, false
	for node := range form.Descendants() {
		name, value := attribute(node, "name"), attribute(node, "value")
		switch {
		case name == "":
		case is(node, "input") && attribute(node, "type") == "hidden" && !slices.Contains(typed[name], value):
			return false
		case is(node, "button"):
			buttons, pressed = true, pressed || slices.Contains(typed[name], value)
		}
	}
	return pressed || !buttons
}

func fillIn(form *html.Node, typed url.Values) {
	next := map[string]int{} // index of the next value, for fields that share a name
	take := func(name string) string {
		values, i := typed[name], next[name]
		if next[name]++; i < len(values) {
			return values[i]
		}
		return ""
	}
	for node := range form.Descendants() {
		name := attribute(node, "name")
		switch {
		case name == "" && !is(node, "option"):
		case is(node, "textarea"):
			for child := node.FirstChild; child != nil; child = node.FirstChild {
				node.RemoveChild(child)
			}
			node.AppendChild(&html.Node{Type: html.TextNode, Data: take(name)})
		case is(node, "select"):
			for option := range node.Descendants() {
				if is(option, "option") {
					mark(option, "selected", slices.Contains(typed[name], attribute(option, "value")))
				}
			}
		case is(node, "input"):
			switch attribute(node, "type") {
			case "hidden", "password", "file", "submit", "button":
			case "checkbox", "radio":
				mark(node, "checked", slices.Contains(typed[name], attribute(node, "value")))
			default:
				mark(node, "value", false)
				node.Attr = append(node.Attr, html.Attribute{Key: "value", Val: take(name)})
			}
		}
	}
}

func is(node *html.Node, element string) bool {
	return node.Type == html.ElementNode && node.Data == element
}

func attribute(node *html.Node, key string) string {
	for _, a := range node.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// mark sets an attribute without a value, or removes it.
func mark(node *html.Node, key string, set bool) {
	node.Attr = slices.DeleteFunc(node.Attr, func(a html.Attribute) bool { return a.Key == key })
	if set {
		node.Attr = append(node.Attr, html.Attribute{Key: key})
	}
}
