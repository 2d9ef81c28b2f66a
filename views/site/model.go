// Package site renders the provider's own pages: the landing page, the legal documents and the error page.
package site

import (
	"strconv"

	"forecourt/internal/shop/shop"
	"forecourt/internal/site/frontpage"
	"forecourt/internal/site/legal"
	"forecourt/views/ui"
)

// Landing says what the provider does and leads to the demonstrations.
type Landing struct {
	Frame  ui.Site
	Slides []frontpage.Slide
	Shops  []shop.Demo // whose menus can be tried
	Staff  bool        // whether the signed-in person is staff
}

// slidePicture is how wide the picture of a slide is, in CSS pixels.
const slidePicture = 48

// Failure is the error page.
type Failure struct {
	Title  string // "Page not found"
	Text   string // what happened and what to do, without blame
	OnURL  string // the one way on; empty is the same address again
	OnText string // "Go to the start page"
	// Reference finds the request in the log; empty for none.
	Reference string
}

// heading numbers a section as its document does.
func heading(at int, s legal.Section) string { return strconv.Itoa(at+1) + ". " + s.Title }

// signInFields are the fields of the landing page's form (LAND-05).
var signInFields = []ui.Field{
	{
		ID: "email", Name: "email", Label: "Email", Type: "email", Autocomplete: "username",
		InputMode: "email", EnterKeyHint: "next", Required: true,
	},
	{
		ID: "password", Name: "password", Label: "Password", Type: "password",
		Autocomplete: "current-password", EnterKeyHint: "go", Required: true,
	},
}
