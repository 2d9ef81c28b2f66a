// Package demo renders the pages on which developers try the provider's services.
package demo

import (
	"forecourt/static"
	"forecourt/views/ui"
)

// Page is the frame of a demo page.
type Page struct {
	Site ui.Site
	Path string // address of the demo as the navigation names it: "/demo/hps"
}

// frame is the page's frame with the style that demos share, and the list of all.
func (p Page) frame(all []ui.Link) ui.Site {
	site := p.Site
	site.Nav, site.NavLabel = ui.Tabs(all, p.Path), "Demos"
	site.Styles = append([]string{static.URL("demo.css")}, site.Styles...)
	return site
}
