package demo

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

// Socket shows the test page of the local websocket at a wss address. The browser tries the socket; the server has no part in it.
func Socket(socket *url.URL) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		web.Allow(w, "connect-src", "wss://"+socket.Host)
		return web.Render(w, r, http.StatusOK, view.SocketPage(ui.Site{
			Title: "Websocket test", Description: "Try whether this browser reaches a program on your computer by a secure websocket.",
			Scripts: []string{static.URL("socket.js")},
		}, socket.String()))
	}
}
