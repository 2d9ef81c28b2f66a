// Package desk serves a business's desk, /desk/{client}, to its team.
package desk

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/typed"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/privacy"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// Path is the address below which the desks are.
const Path = "/desk"

// Handler serves the desk.
type Handler struct {
	Config
	exports *throttle.Places // of tables and statements that are made while somebody waits, by person
}

// These limit how many exports are made at once, in all and for one person: each reads up to 20,000 payments. Others wait for their turn.
const (
	mostExports = 16
	eachExports = 2
	exportWait  = 5 * time.Second
)

// Config holds what the desk needs.
type Config struct {
	Shops    *shop.Shops
	Menus    *menu.Studio
	GoLive   *golive.GoLive
	Forms    *form.Forms
	Links    *paylink.Links
	Payments *payment.Payments // makes refunds
	Notices  *notice.Notices
	Books    *books.Books
	Privacy  *privacy.Privacy
	People   *form.People
	Records  *compliance.Records
	Proxies  web.Proxies
	Uploads  *web.Uploads // all that the site reads
	// Sessions keeps which browsers show notices.
	Sessions *session.Sessions
	Public   *url.URL // where people reach the site
	Log      *slog.Logger
}

// New serves the desks of shops.
func New(c Config) *Handler {
	return &Handler{c, throttle.NewPlaces(mostExports, eachExports, exportWait)}
}

// address returns the address of a page on the desk of a request.
func address(r *http.Request, page string) string {
	return ui.Desk{Code: session.MemberOf(r).Shop.Code}.At(page)
}

// Frame returns the frame of a page on the desk of a request. Its tabs are those that the member may open.
func Frame(r *http.Request, title string) ui.Desk {
	return frame(session.MemberOf(r), title)
}

// Own returns the frame of the pages about a person: with the navigation of their business, a list if they have several, or the staff room.
func (h *Handler) Own(ctx context.Context, p account.Person) (d ui.Desk) {
	if p.Staff {
		return ui.Of(ctx).StaffDesk(ctx)
	}
	mine, err := h.Shops.Of(ctx, p.ID)
	if len(mine) == 1 {
		m := session.Member{}
		if m.Shop, m.Role, err = h.Shops.Enter(ctx, mine[0].Code, p.ID); err == nil {
			return frame(m, "")
		}
	}
	if err != nil {
		h.Log.WarnContext(ctx, "navigation of a person not read", "error", err)
	}
	if len(mine) > 1 {
		all := ui.Tab{Link: ui.Link{Name: "Your businesses", URL: Path}}
		for _, one := range mine {
			all.Below = append(all.Below, ui.Link{Name: one.Name, URL: ui.Desk{Code: one.Code}.At("")})
		}
		d.Nav = []ui.Tab{all}
	}
	return d
}

func frame(m session.Member, title string) ui.Desk {
	address := ui.Desk{Code: m.Shop.Code}.At
	d := ui.Desk{
		Title: title, Code: m.Shop.Code, Business: m.Shop.Name,
		Logo: ui.PictureOf(m.Shop.Logo, 32), Live: m.Shop.Live, EverLive: m.Shop.EverLive(), Role: view.RoleName(m.Role),
	}
	if m.Watching() {
		d.Watching, d.Role = true, "Staff"
	}
	type page struct {
		right     shop.Right
		watched   bool // staff may look at it
		name, url string
	}
	for _, part := range [][]page{
		{{shop.Day, true, "Home", address("")}},
		{
			{shop.Look, true, "Payments", address("payments")}, {shop.Takings, true, "Payouts", address("payouts")},
			{shop.Look, true, "Disputes", address("disputes")}, {shop.Takings, true, "End of day", address("closings")},
			{shop.Takings, true, "Items sold", address("sold")},
			{shop.Books, false, "Exports", address("exports")}, {shop.Day, false, "Pay links", address("links")},
		},
		{
			{shop.Edit, true, "Menu", address("menu")}, {shop.Edit, true, "Tables", address("tables")},
			{shop.Kitchen, false, "Kitchen", "/pos/" + m.Shop.Code + "/kitchen"}, {shop.Hire, true, "Screens", address("screens")},
		},
		{
			{shop.Edit, true, "Business", address("shop")}, {shop.Edit, true, "Surcharges and tips", address("surcharges")},
			{shop.Hire, true, "Team", address("team")},
			{shop.Look, false, "Notices", address("notices")}, {shop.Day, true, view.LiveTab(m.Shop.Live), address("live")},
		},
	} {
		part = slices.DeleteFunc(part, func(p page) bool { return !m.May(p.right) && (!m.Watching() || !p.watched) })
		var tab ui.Tab
		for i, p := range part {
			if link := (ui.Link{Name: p.name, URL: p.url}); i == 0 {
				tab.Link = link
			} else {
				tab.Below = append(tab.Below, link)
			}
		}
		if len(part) > 0 {
			d.Nav = append(d.Nav, tab)
		}
	}
	return d
}

// only returns what a form or an address has for fields, each in one line, without empty ones.
func only(form url.Values, fields ...string) url.Values {
	all := url.Values{}
	for _, name := range fields {
		if text := typed.Line(form.Get(name)); text != "" {
			all.Set(name, text)
		}
	}
	return all
}

// hidden reports whether the takings are hidden from a member.
func hidden(m session.Member) bool { return !m.May(shop.Takings) && !m.Watching() }

// testBooks reports whether a page is about test payments. mode, of its query or form, chooses; else it is about real payments if the
// business ever took any, whichever kind its new orders are.
func testBooks(one shop.Shop, mode string) bool { return mode == "test" || !one.EverLive() }

// testPage is testBooks for the query of a request.
func testPage(r *http.Request) bool {
	return testBooks(session.MemberOf(r).Shop, r.URL.Query().Get("mode"))
}

// pages leads through the pages of a list from its first. The address of a later page has, under a name, where it begins.
func pages(r *http.Request, first, name, next string) view.Pages {
	p, and := view.Pages{First: first, Further: r.URL.Query().Get(name) != ""}, "?"
	if strings.Contains(first, "?") {
		and = "&"
	}
	if next != "" {
		p.Next = first + and + name + "=" + next
	}
	return p
}
