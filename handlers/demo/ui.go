package demo

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/demo"
)

// ShowComponents shows the parts that pages are made of.
func ShowComponents(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.ComponentsPage())
}
