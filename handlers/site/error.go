package site

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/site"
)

// RefuseMethod answers for an address that does not take a request's method.
func RefuseMethod(w http.ResponseWriter, r *http.Request) error {
	web.TellMethods(w, r)
	return web.Render(w, r, http.StatusMethodNotAllowed, view.ErrorPage(view.FailureFor(http.StatusMethodNotAllowed, web.RequestID(r))))
}
