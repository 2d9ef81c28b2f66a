// Package demo serves the pages on which developers try the provider's services. Anybody may (SEC-01).
package demo

import (
	"net/http"

	"forecourt/handlers/web"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

// ShowPlaceholder stands for a page on which all demos will come together.
func ShowPlaceholder(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex") // there is nothing to find yet
	return web.Render(w, r, http.StatusOK, view.PlaceholderPage())
}

// Sandbox serves the public pages of the built-in gateway below /sandbox; nil without one.
func Sandbox(pages http.Handler) http.HandlerFunc {
	if pages == nil {
		return nil
	}
	return http.StripPrefix("/sandbox", pages).ServeHTTP
}

func page(title, description, path, script string) view.Page {
	return view.Page{Path: path, Site: ui.Site{Title: title, Description: description, Scripts: []string{static.URL(script)}}}
}
