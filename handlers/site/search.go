package site

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/site"
)

// ShowSearch answers GET /search?phoneNumber=…&displayName=… (ROUTE-03).
func ShowSearch(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	w.Header().Set("X-Robots-Tag", "noindex")
	return web.Render(w, r, http.StatusOK, view.SearchPage(query.Get("phoneNumber"), query.Get("displayName")))
}
