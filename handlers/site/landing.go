package site

import (
	"net/http"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
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
		person, _ := session.Signed(r)
		return web.Render(w, r, status, view.LandingPage(view.Landing{
			Staff: person.Staff, Slides: h.Nav.Current(r.Context()).Slides, Shops: shops,
			Frame: ui.Site{
				Description: view.Promise(h.Provider.Name),
				Styles:      []string{static.URL("landing.css")}, Scripts: []string{static.URL("landing.js")},
			},
		}))
	}
}
