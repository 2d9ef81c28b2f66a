package pos

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"forecourt/handlers/session"
	"forecourt/internal/shop/kitchen"
	"forecourt/internal/shop/shop"
	"forecourt/static"
	view "forecourt/views/pos"
)

// warnBefore is how long before the end of a session the screen warns.
const warnBefore = 15 * time.Minute

// screen returns what a business has to make, at the location in the address or at all locations.
func (h *Kitchen) screen(r *http.Request, code string) (view.Screen, error) {
	menu, err := h.Menus.Menu(r.Context(), code)
	if err != nil {
		return view.Screen{}, err
	}
	board, err := h.Kitchens.Board(r.Context(), code)
	if err != nil {
		return view.Screen{}, err
	}
	ends, _, err := h.Teams.Touch(r, shop.Kitchen)
	if err != nil {
		return view.Screen{}, err
	}
	loc := r.URL.Query().Get("loc")
	self := kitchenPath(code, loc)
	s := view.Screen{
		Business: menu.Shop.Name, Test: !menu.Shop.Live, URL: self, AllURL: kitchenPath(code, ""), Loc: loc,
		Stale: board.Stale, More: board.More, Required: menu.NeedsKitchen, Live: menu.Shop.Live, Now: time.Now(),
		SignInURL:  "/signin?" + url.Values{"to": {self}, "again": {""}}.Encode(),
		Stylesheet: static.URL("kitchen.css"), Script: static.URL("kitchen.js"),
	}
	if m := session.MemberOf(r); m.May(shop.Look) {
		s.DeskURL = "/desk/" + code
	}
	if !ends.IsZero() {
		s.Ends, s.EndsSoon = ends.UTC().Format(time.RFC3339), time.Until(ends) < warnBefore
	}
	var locs []string
	for _, item := range menu.All() {
		locs = append(locs, item.Loc)
	}
	if s.Stock, err = h.Kitchens.Stock(r.Context(), code); err != nil {
		return view.Screen{}, err
	}
	s.Places = columns(code, locs, board)
	s.Locations = s.Places
	if loc != "" {
		s.Locations = slices.DeleteFunc(slices.Clone(s.Places), func(p view.Location) bool { return p.Name != loc })
	}
	s.EventsURL = "/pos/" + code + "/kitchen/events?" + url.Values{"loc": {loc}, "v": {version(parts(s))}}.Encode()
	return s, nil
}

// columns makes a column of each location that has something to make or is on the menu.
func columns(code string, locs []string, board kitchen.Board) []view.Location {
	for _, t := range board.Open {
		locs = append(locs, t.Loc) // the menu may no longer have it
	}
	slices.Sort(locs)
	locs = slices.Compact(locs)
	all := make([]view.Location, len(locs))
	at := map[string]*view.Location{}
	for i, loc := range locs {
		all[i] = view.Location{ID: "p-" + view.LocKey(loc), Name: loc, URL: kitchenPath(code, loc)}
		at[loc] = &all[i]
	}
	for _, t := range board.Open {
		at[t.Loc].Tickets = append(at[t.Loc].Tickets, t)
	}
	for loc, orders := range board.Hidden {
		p := at[loc] // as many tickets are shown before the gap as after it
		p.Gap = &view.Gap{ID: "g-" + view.LocKey(loc), PaidAt: p.Tickets[len(p.Tickets)/2-1].PaidAt, Orders: orders}
	}
	for _, d := range board.Done {
		if p := at[d.Loc]; p != nil {
			p.Done = append(p.Done, d)
		}
	}
	return all
}
