package ui

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/shop/shop"
	"forecourt/static"
)

// Picture is an image with its size, so that nothing shifts while it loads.
type Picture struct {
	Src           string // address, content-hashed
	Alt           string // empty for decoration
	Width, Height int    // CSS pixels
}

// PictureOf returns a picture of a shop at size CSS pixels. name is an asset's, or the address of an uploaded picture. The drawings that
// menus once showed are gone, and their names lead to no picture.
func PictureOf(name string, size int) Picture {
	if strings.HasPrefix(name, "img/pictures/") {
		return Picture{}
	}
	if name != "" && !strings.HasPrefix(name, shop.PicturePath) {
		name = static.URL(name)
	}
	return Picture{Src: name, Width: size, Height: size}
}

// Merchant holds what customers' pages show of the business.
type Merchant struct {
	Code, Name, Tagline string
	Logo                Picture
	Colours             static.Style // custom properties; empty keeps the provider's
	// ThemeLight and ThemeDark colour the browser's own bars in either theme: brand.Bands of the accent. Empty leaves
	// the browser's colour.
	ThemeLight, ThemeDark string
	Live                  bool
}

// Customer is the frame of a page that a merchant's customer sees.
type Customer struct {
	Title       string // page, before the merchant's and the product's name
	Description string // for search engines and link previews, one sentence; empty for pages that they do not list
	Merchant    Merchant
	Table       string // shown in the header, empty for none
	// Back and BackName are the address and the name of the page before, for an arrow in the header; empty for none.
	Back, BackName string
	Test           templ.Component // what the mark of test mode unfolds; nil for nothing
	// Refresh reloads the page after so many seconds if scripts are off; 0 means never.
	Refresh int
	// RefreshURL is where Refresh leads; empty is the same page.
	RefreshURL string
	Part       string   // the stylesheet with what the page uses of customer.css, for a first visit; empty if it uses all
	Scripts    []string // addresses of module scripts, content-hashed
	Preload    []string // module scripts to fetch early without running them
	Listed     string   // from ScriptList, for a payment page; empty for other pages
}

// ScriptList returns an element that lists every script that a payment page may load, by address, with its hash; a vendor's own, which
// changes without us, has none (PCI DSS 6.4.3).
func ScriptList(scripts map[string]string) string {
	var element strings.Builder
	_ = templ.JSONScript("scripts", scripts).Render(context.Background(), &element) // strings and memory cannot fail
	return element.String()
}

// Site is the frame of every other page. Who runs the site and who is signed in comes from the context: see Chrome.
type Site struct {
	Own         bool         // about the person who is signed in, so that the navigation of their business stays beside it
	Title       string       // page, before the provider's name; empty is the provider's name alone
	Description string       // for search engines and link previews, one sentence
	Styles      []string     // addresses of stylesheets that only some pages need, content-hashed
	Scripts     []string     // addresses of module scripts, content-hashed
	Colours     static.Style // of a business that the page shows; may be empty
	Nav         []Tab        // in place of the navigation of the person's desk; nil keeps that, and an empty one shows none
	NavLabel    string       // says what Nav leads through
}

// desk returns the frame around the page: that of the person's desk if the page is about them.
func (s Site) desk(ctx context.Context, c Chrome) (d Desk) {
	if s.Own && c.Desk != nil {
		d = c.Desk(ctx)
	}
	if s.Nav != nil {
		d.Nav, d.Label = s.Nav, s.NavLabel
	}
	return d
}

// Tab is a link in the navigation of a desk, with the pages that belong to it. Phones show the latter only on one of these pages.
type Tab struct {
	Link
	Waits int  // cases that wait there, 0 for none
	Here  bool // it is the current page, whatever its address
	Below []Link
}

// Desk is the frame of a page of a business's desk, or of the pages before there is a business.
type Desk struct {
	Label          string // of the navigation; empty is "Desk"
	Title          string // page, before the business's name
	Code, Business string
	Logo           Picture
	Live           bool   // takes real money
	EverLive       bool   // takes real money, or once did
	Role           string // the person's role there, in words
	Watching       bool   // one of the provider's staff is looking at it
	Nav            []Tab  // what the person may open there
	Styles         []string
	Scripts        []string // addresses of module scripts, content-hashed
}

// In returns the address of a page of money in a mode. Its query names the mode unless the page shows that one anyway.
func (d Desk) In(page string, test bool) string {
	and := "?"
	switch {
	case !test || !d.EverLive:
		return d.At(page)
	case strings.Contains(page, "?"):
		and = "&"
	}
	return d.At(page) + and + "mode=test"
}

// At returns the address of a page of the desk, "" for the first.
func (d Desk) At(page string) string {
	if page == "" {
		return "/desk/" + d.Code
	}
	return "/desk/" + d.Code + "/" + page
}

// site returns what the page has in common with those of the site.
func (d Desk) site() Site {
	return Site{
		Own: true, Styles: append([]string{static.URL("desk.css")}, d.Styles...), Scripts: append([]string{static.URL("desk.js")}, d.Scripts...),
	}
}

// sheets returns the addresses of the stylesheets besides the site's own.
func (s Site) sheets(c Chrome) []string {
	if c.User == "" {
		return s.Styles
	}
	return append([]string{static.URL("shell.css")}, s.Styles...)
}
