package ui

import (
	"forecourt/static"
)

// Styles decides how the stylesheets of a page reach the browser. A browser that has the stylesheet of the page's frame gets links. Any
// other browser gets a page that contains all its styles, so that it can paint without another request; it fetches the files last, for
// the next page. A nil Styles leads to links.
type Styles struct {
	Held  func(name string) bool // whether the browser has the stylesheet of a frame, such as "site.css"
	HTTPS bool                   // whether the site's public address is https
	page  PageStyles
	later []string // addresses of the stylesheets that the page fetches for the next one
}

// PageStyles describes the styles that a rendered page contains.
type PageStyles struct {
	Frame  string   // the stylesheet of the frame, such as "site.css"; "" if the page links it
	Hashes []string // of the styles, for the Content-Security-Policy
	HTTPS  bool     // whether the site's public address is https
	Early  bool     // whether the page holds static.Early
}

// Rendered tells which styles a page rendered with s contains.
func (s *Styles) Rendered() PageStyles {
	if s == nil {
		return PageStyles{}
	}
	page := s.page
	page.HTTPS = s.HTTPS
	return page
}

// sheet is the stylesheet of a frame.
type sheet struct {
	name string // such as "site.css"
	part string // the stylesheet with what the page uses of it, which the page contains instead; "" stands for all of it
}

// within returns the styles at the addresses if the page of a frame has to contain them, and otherwise none.
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
	s.page.Frame = frame
	return found
}

// early records that the page holds the script that keeps early presses, and returns its element.
func (s *Styles) early() string {
	if s == nil {
		return ""
	}
	s.page.Early = true
	return static.Early.Element
}

// note records that the page contains a style, and returns its element.
func (s *Styles) note(style static.Style) string {
	if s != nil {
		s.page.Hashes = append(s.page.Hashes, style.Hash)
	}
	return style.Element
}
