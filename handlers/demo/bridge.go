package demo

import (
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	view "forecourt/views/demo"
)

// bridgeAmount is the amount that the terminal demo starts with (BRIDGE-01).
const bridgeAmount = "5.00"

// Bridge shows the demo of the terminal service at an http(s) origin. The payment itself is between the browser and that service.
func Bridge(service *url.URL) web.HandlerFunc {
	origin := service.Scheme + "://" + service.Host
	return func(w http.ResponseWriter, r *http.Request) error {
		amount := r.URL.Query().Get("amount")
		if _, err := money.Parse(amount); err != nil {
			amount = bridgeAmount
		}
		web.Allow(w, "connect-src", origin)
		return web.Render(w, r, http.StatusOK, view.BridgePage(view.Bridge{
			Page: page(
				"Terminal", "Take a payment at a card terminal from a web page, and watch every call it makes.", "/demo/bridge", "bridge.js",
			),
			Service: origin, Amount: amount, Sent: r.URL.Query().Has("amount"),
		}))
	}
}
