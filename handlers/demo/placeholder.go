// Package demo serves the pages on which developers try the provider's services. Anybody may (SEC-01).
package demo

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	view "forecourt/views/demo"
)

// Placeholder mounts /demo, where all demos will come together.
func Placeholder(r chi.Router, s *web.Responder) {
	r.Get("/demo", s.Page(showPlaceholder))
}

func showPlaceholder(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.PlaceholderPage())
}
