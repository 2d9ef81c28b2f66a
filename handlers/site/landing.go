package site

import (
	"context"
	"net/http"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/shop"
	"forecourt/static"
	view "forecourt/views/site"
	"forecourt/views/ui"
)

// Landing says what the provider does and leads to the demo businesses.
func (h *Handler) Landing(status int) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		shops, err := db.New(h.Pool).ShopListDemo(r.Context())
		if err != nil {
			return err
		}
		if r.URL.Path != "/" {
			w.Header().Set("X-Robots-Tag", "noindex") // a duplicate of the start page
		}
		sample, colours := h.sample(r.Context(), shops)
		person, _ := session.Signed(r)
		return web.Render(w, r, status, view.LandingPage(view.Landing{
			Staff: person.Staff, Slides: h.Nav.Current(r.Context()).Slides, Shops: shops, Sample: sample,
			Frame: ui.Site{
				Colours:     colours,
				Description: view.Promise(h.Provider.Name),
				Styles:      []string{static.URL("landing.css")}, Scripts: []string{static.URL("landing.js")},
			},
		}))
	}
}

// shownDishes is how much of a menu fits on the drawn phone.
const shownDishes = 3

// sample returns the menu of the first of the businesses that can be tried, and its colours.
func (h *Handler) sample(ctx context.Context, shops []shop.Demo) (view.Sample, static.Style) {
	if len(shops) == 0 {
		return view.AnyMenu, static.Style{}
	}
	menu, err := h.Menus.Menu(ctx, shops[0].Code)
	if err != nil || len(menu.Categories) == 0 {
		return view.AnyMenu, static.Style{}
	}
	first := menu.Categories[0]
	s := view.Sample{Name: menu.Shop.Name, Tagline: menu.Shop.Tagline, Category: first.Name}
	for _, i := range first.Items[:min(len(first.Items), shownDishes)] {
		s.Dishes = append(s.Dishes, view.Dish{Name: i.Name, Text: i.Description, Price: money.Price(i.Price, menu.Shop.Currency)})
	}
	s.Total = money.Price(2*first.Items[0].Price, menu.Shop.Currency)
	return s, web.ColoursOf(menu.Shop.Accent, ".phones")
}
