package web

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"forecourt/internal/kit/brand"
	"forecourt/static"
	"forecourt/views/layout"
)

// CustomerFrame returns the frame of a client's page with the named scripts.
func CustomerFrame(title string, client brand.Client, table string, scripts ...string) layout.Customer {
	c := layout.Customer{Title: title, Merchant: MerchantLook(client), Table: table}
	for _, name := range scripts {
		c.Scripts = append(c.Scripts, static.URL(name))
		c.Preload = append(c.Preload, static.Preload(name)[1:]...)
	}
	return c
}

// Soon names the scripts that a page needs as soon as its own have run, so that the browser fetches them at the same time.
func Soon(c *layout.Customer, names ...string) {
	for _, name := range names {
		for _, address := range static.Preload(name) {
			if !slices.Contains(c.Preload, address) {
				c.Preload = append(c.Preload, address)
			}
		}
	}
}

// MerchantLook returns what customers see of a client.
func MerchantLook(client brand.Client) layout.Merchant {
	look := lookOf(client.Accent)
	m := layout.Merchant{
		Code: client.Code, Name: client.Name, Tagline: client.Tagline, Live: client.Live,
		Colours: look.colours, ThemeLight: look.light, ThemeDark: look.dark,
	}
	if client.Logo != "" {
		m.Logo = Picture(client.Logo, 56)
	}
	return m
}

// look holds the colours of a merchant's pages.
type look struct {
	colours     static.Style
	light, dark string // of the browser's own bars
}

// looks keeps the look of each accent, because computing it takes a tenth of the time of a page.
var looks sync.Map

func lookOf(accent string) look {
	if kept, ok := looks.Load(accent); ok {
		return kept.(look)
	}
	var l look
	// The database checks accents. Should one be wrong, the page goes without colours.
	if css, err := brand.Stylesheet(accent); err == nil {
		l.colours = static.NewStyle(strings.TrimSpace(css))
	}
	if light, dark, err := brand.Bands(accent); err == nil {
		l.light, l.dark = light, dark
	}
	looks.Store(accent, l)
	return l
}

// MenuURL returns the address of a client's menu for a table or, without one, for a name.
func MenuURL(client, table, name string) string {
	switch {
	case table != "":
		return "/pos/" + client + "?t=" + url.QueryEscape(table)
	case name != "":
		return "/pos/" + client + "?n=" + url.QueryEscape(name)
	default:
		return "/pos/" + client
	}
}

// Picture returns a square decorative picture, size CSS pixels wide. name is the name of an asset, the address of an uploaded picture, or
// empty for none.
func Picture(name string, size int) layout.Picture {
	return layout.PictureOf(name, size)
}

// PictureURL returns the address of a picture, or "" for none; see Picture.
func PictureURL(name string) string {
	return layout.PictureOf(name, 0).Src
}

// Card returns a business as the cards with its QR codes show it. If the accent is not a colour, they stay white; logo may be empty.
func Card(name, accent, logo string) layout.QRBusiness {
	b := layout.QRBusiness{Name: name}
	if logo != "" {
		b.Logo = Picture(logo, 40)
	}
	if ground, text, err := brand.Solid(accent); err == nil {
		b.Ground, b.OnDark = ground, text == "#ffffff"
	}
	return b
}
