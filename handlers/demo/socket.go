package demo

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/layout"
)

// Socket serves the test page of the local websocket, /crm/ws.
type Socket struct {
	socket *url.URL
}

// NewSocket makes the page try a wss address.
func NewSocket(socket *url.URL) *Socket { return &Socket{socket: socket} }

// Show answers GET /crm/ws. The browser tries the socket; the server has no part in it.
func (s *Socket) Show(w http.ResponseWriter, r *http.Request) error {
	web.Allow(w, "connect-src", "wss://"+s.socket.Host)
	return web.Render(w, r, http.StatusOK, view.SocketPage(view.Socket{
		Frame: layout.Site{
			Title: "Websocket test", Description: "Try whether this browser reaches a program on your computer by a secure websocket.",
			Scripts: []string{static.URL("socket.js")},
		},
		URL: s.socket.String(),
	}))
}
