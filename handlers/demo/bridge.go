package demo

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/layout"
)

// bridgeAmount is the amount that the terminal demo starts with (BRIDGE-01).
const bridgeAmount = "5.00"

// Bridge serves the demo of the terminal service.
type Bridge struct {
	service string // origin of the terminal service
}

// NewBridge makes the page call the terminal service at an http(s) origin.
func NewBridge(service *url.URL) *Bridge {
	return &Bridge{service: service.Scheme + "://" + service.Host}
}

// Show answers GET /demo/bridge?amount=5.00. The payment itself is between the browser and the terminal service.
func (b *Bridge) Show(w http.ResponseWriter, r *http.Request) error {
	amount := r.URL.Query().Get("amount")
	if _, err := money.Parse(amount); err != nil {
		amount = bridgeAmount
	}
	web.Allow(w, "connect-src", b.service)
	return web.Render(w, r, http.StatusOK, view.BridgePage(view.Bridge{
		Page: view.Page{Path: "/demo/bridge", Site: layout.Site{
			Title: "Terminal", Scripts: []string{static.URL("bridge.js")},
			Description: "Take a payment at a card terminal from a web page, and watch every call it makes.",
		}},
		Service: b.service, Amount: amount, Sent: r.URL.Query().Has("amount"),
	}))
}
