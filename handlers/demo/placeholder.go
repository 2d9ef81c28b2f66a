// Package demo serves the pages on which developers try the provider's services. Anybody may (SEC-01).
package demo

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/demo"
)

// ShowPlaceholder answers GET /demo, where all demos will come together.
func ShowPlaceholder(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex") // there is nothing to find yet
	return web.Render(w, r, http.StatusOK, view.PlaceholderPage())
}
