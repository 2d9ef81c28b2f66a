// Package demo renders the pages on which developers try the provider's services.
package demo

import (
	"forecourt/static"
	"forecourt/views/layout"
)

// Page is the frame of a demo page.
type Page struct {
	Site layout.Site
	Path string // address of the demo as the navigation names it: "/demo/hps"
}

// frame is the page's frame with the style that demos share.
func (p Page) frame() layout.Site {
	site := p.Site
	site.Styles = append([]string{static.URL("demo.css")}, site.Styles...)
	return site
}

// demo is an entry of the navigation.
type demo struct{ path, name string }

var demos = []demo{
	{"/demo", "All demos"},
	{"/pos/panezski", "Order and pay"},
	{"/demo/hps", "Hosted payment page"},
	{"/demo/keygen", "Key generator"},
	{"/demo/qr", "QR ordering"},
	{"/demo/bridge", "Terminal"},
}
