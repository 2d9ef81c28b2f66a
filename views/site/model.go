// Package site draws the provider's own pages: the landing page and the page that says what went wrong.
package site

import "forecourt/views/layout"

// Landing says what the provider does and leads to the demonstrations.
type Landing struct {
	Frame   layout.Site
	Shops   []Shop
	PayDemo string // address of the demo payment
}

// Shop is a demo business whose menu can be tried.
type Shop struct {
	Name, Tagline, URL string
	Logo               layout.Picture
}

// Failure is a page in place of the one asked for.
type Failure struct {
	Frame  layout.Site
	Title  string // "Page not found"
	Text   string // what happened and what to do, without blame
	OnURL  string // the one way on; empty is the same address again
	OnText string // "Go to the start page"
	// Reference finds the request in the log; empty for none.
	Reference string
}
