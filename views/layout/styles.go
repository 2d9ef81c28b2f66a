package layout

import "forecourt/static"

// Styles decides how the stylesheets of a page reach the browser. A browser that has the stylesheet of the page's frame gets links. Any other
// browser gets a page that holds all its styles, so that it can paint without another request; it fetches the files at the lowest
// priority, for the next page. nil gives links.
type Styles struct {
	Held   func(name string) bool // whether the browser has the stylesheet of a frame, such as "site.css"
	HTTPS  bool                   // whether the site's public address is https
	frame  string
	hashes []string
}

// Frame returns the name of the stylesheet, such as "site.css", whose text a rendered page holds; "" if the page links it.
func (s *Styles) Frame() string {
	if s == nil {
		return ""
	}
	return s.frame
}

// Hashes returns the hashes of the styles that a rendered page holds, for its Content-Security-Policy.
func (s *Styles) Hashes() []string {
	if s == nil {
		return nil
	}
	return s.hashes
}

// within returns the styles at the addresses if the page of a frame has to hold them, and else none.
func (s *Styles) within(frame string, addresses []string) []static.Style {
	if s == nil || s.Held(frame) {
		return nil
	}
	var found []static.Style
	for _, address := range addresses {
		style := static.StyleAt(address)
		if style.Text == "" {
			return nil // not built
		}
		found = append(found, style)
	}
	s.frame = frame
	return found
}

// note records that the page holds a style, and returns the element that holds it.
func (s *Styles) note(style static.Style) string {
	if s != nil {
		s.hashes = append(s.hashes, style.Hash)
	}
	return "<style>" + style.Text + "</style>"
}
