// Package crm serves the test page of the local websocket.
package crm

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/static"
	view "forecourt/views/crm"
	"forecourt/views/layout"
)

// Handler serves /crm/ws.
type Handler struct {
	socket *url.URL
}

// New has the page try a wss address.
func New(socket *url.URL) *Handler { return &Handler{socket: socket} }

// Show answers GET /crm/ws. The browser tries the socket; the server has no part in it.
func (h *Handler) Show(w http.ResponseWriter, r *http.Request) error {
	web.Allow(w, "connect-src", "wss://"+h.socket.Host)
	return web.Render(w, r, http.StatusOK, view.SocketPage(view.Socket{
		Frame: layout.Site{Title: "Websocket test", Scripts: []string{static.URL("socket.js")}},
		URL:   h.socket.String(),
	}))
}
