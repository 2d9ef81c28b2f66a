package web

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"forecourt/internal/kit/brand"
	"forecourt/static"
	"forecourt/views/ui"
)

// CustomerFrame returns the frame of a shop's page with the named scripts.
func CustomerFrame(title string, shop brand.Shop, table string, scripts ...string) ui.Customer {
	c := ui.Customer{Title: title, Merchant: MerchantLook(shop), Table: table}
	for _, name := range scripts {
		c.Scripts = append(c.Scripts, static.URL(name))
		c.Preload = append(c.Preload, static.Preload(name)[1:]...)
	}
	return c
}

// Soon names the scripts that a page needs as soon as its own have run, so that the browser fetches them at the same time.
func Soon(c *ui.Customer, names ...string) {
	for _, name := range names {
		for _, address := range static.Preload(name) {
			if !slices.Contains(c.Preload, address) {
				c.Preload = append(c.Preload, address)
			}
		}
	}
}

// MerchantLook returns what customers see of a shop.
func MerchantLook(shop brand.Shop) ui.Merchant {
	look := lookOf(shop.Accent)
	m := ui.Merchant{
		Code: shop.Code, Name: shop.Name, Tagline: shop.Tagline, Live: shop.Live,
		Colours: look.colours, ThemeLight: look.light, ThemeDark: look.dark,
	}
	if shop.Logo != "" {
		m.Logo = ui.PictureOf(shop.Logo, 56)
	}
	return m
}

// look holds the colours of a merchant's pages.
type look struct {
	colours     static.Style
	light, dark string // of the browser's own bars
}

// looks keeps the looks of mostLooks accents, because computing one takes a tenth of the time of a page. A look takes 2 kB.
var (
	looks     sync.Map
	keptLooks atomic.Int32
)

const mostLooks = 1000

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
	if keptLooks.Add(1) > mostLooks {
		looks.Clear()
		keptLooks.Store(1)
	}
	looks.Store(accent, l)
	return l
}

// ColoursOf returns the colours that follow from an accent for what the selector matches on a page of the provider's.
func ColoursOf(accent, selector string) static.Style {
	return static.NewStyle(strings.ReplaceAll(lookOf(accent).colours.Text, ":root", selector))
}

// MenuURL returns the address of a shop's menu for a table or, without one, for a name.
func MenuURL(shop, table, name string) string {
	switch {
	case table != "":
		return "/pos/" + shop + "?t=" + url.QueryEscape(table)
	case name != "":
		return "/pos/" + shop + "?n=" + url.QueryEscape(name)
	default:
		return "/pos/" + shop
	}
}

// PictureURL returns the address of a picture, or "" for none; see ui.PictureOf.
func PictureURL(name string) string { return ui.PictureOf(name, 0).Src }

// Card returns a business as the cards with its QR codes show it. If the accent is not a colour, they stay white; logo may be empty.
func Card(name, accent, logo string) ui.QRBusiness {
	b := ui.QRBusiness{Name: name}
	if logo != "" {
		b.Logo = ui.PictureOf(logo, 40)
	}
	if ground, text, err := brand.Solid(accent); err == nil {
		b.Ground, b.OnDark = ground, text == "#ffffff"
	}
	return b
}
