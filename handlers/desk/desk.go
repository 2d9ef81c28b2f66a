// Package desk serves a business's desk, /desk/{client}, to its team.
package desk

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/known"
	"forecourt/internal/live"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopbooks"
	"forecourt/internal/shop/shoplinks"
	"forecourt/internal/shop/shopstore"
	"forecourt/internal/shop/shoptrade"
	view "forecourt/views/desk"
	"forecourt/views/layout"
)

// Path is where the desks are.
const Path = "/desk"

// Handler serves the desk.
type Handler struct {
	Config
	uploads *live.Slots
}

// Config is what the desk works with.
type Config struct {
	Shops    *shopstore.Shops
	Menus    *menustore.Studio
	Team     *shopstore.Team
	Launches *shopstore.Launches
	Links    *shoplinks.Links
	Trade    *shoptrade.Trade
	Books    *shopbooks.Books
	People   *known.People
	Proxies  web.Proxies
	Public   *url.URL // where people reach the site
}

// New serves the desks of shops.
func New(c Config) *Handler { return &Handler{c, live.NewSlots(uploads, uploadsEach)} }

// address returns the address of a page on the desk of a request.
func address(r *http.Request, page string) string {
	base := Path + "/" + web.MemberOf(r).Shop.Code
	if page == "" {
		return base
	}
	return base + "/" + page
}

// frame returns the frame of a page on the desk of a request. Its tabs are those that the member may open.
func frame(r *http.Request, title string) layout.Desk {
	m := web.MemberOf(r)
	d := layout.Desk{
		Title: title, Code: m.Shop.Code, Business: m.Shop.Name, Logo: web.Picture(m.Shop.Logo, 32), Live: m.Shop.Live, Role: view.RoleName(m.Role),
	}
	d.Nav = append(d.Nav, layout.Link{Name: "Home", URL: address(r, "")})
	for _, page := range []struct {
		right     shop.Right
		name, url string
	}{
		{shop.Look, "Payments", address(r, "payments")},
		{shop.Look, "Closings", address(r, "closings")},
		{shop.Books, "Exports", address(r, "exports")},
		{shop.Edit, "Menu", address(r, "menu")},
		{shop.Edit, "Business", address(r, "shop")},
		{shop.Edit, "Tables", address(r, "tables")},
		{shop.Look, "Pay links", address(r, "links")},
		{shop.Hire, "Team", address(r, "team")},
		{shop.Hire, "Screens", address(r, "screens")},
		{shop.Kitchen, "Kitchen", "/pos/" + m.Shop.Code + "/kitchen"},
		{shop.Look, view.LiveTab(m.Shop.Live), address(r, "live")},
	} {
		if m.May(page.right) {
			d.Nav = append(d.Nav, layout.Link{Name: page.name, URL: page.url})
		}
	}
	return d
}

// Frame returns the frame of a page of the desk that another package serves.
func Frame(r *http.Request, title string) layout.Desk { return frame(r, title) }
