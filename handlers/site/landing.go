package site

import (
	"net/http"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/static"
	"forecourt/views/layout"
	view "forecourt/views/site"
)

// Landing says what the provider does and leads to the demo businesses.
func (h *Handler) Landing(status int) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		shops, err := db.New(h.pool).ShopListDemo(r.Context())
		if err != nil {
			return err
		}
		if r.URL.Path != "/" {
			w.Header().Set("X-Robots-Tag", "noindex") // a duplicate of the start page
		}
		person, _ := session.Signed(r)
		m := view.Landing{Staff: person.Staff, Slides: h.nav.Current(r.Context()).Slides, Frame: layout.Site{
			Description: view.Promise(h.provider.Name),
			Styles:      []string{static.URL("landing.css")}, Scripts: []string{static.URL("landing.js")},
		}}
		for _, shop := range shops {
			m.Shops = append(m.Shops, view.Shop{
				Name: shop.Name, Tagline: shop.Tagline, URL: "/pos/" + shop.Code, Logo: web.Picture(shop.Logo, 56),
			})
		}
		if len(shops) > 0 {
			m.PayDemo = "/pos/" + shops[0].Code + "/demo"
		}
		return web.Render(w, r, status, view.LandingPage(m))
	}
}
