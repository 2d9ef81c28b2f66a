package session

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"forecourt/handlers/web"
)

const (
	// ownLast is how many of its orders a browser remembers. Few people go back further.
	ownLast = 8
	ownFor  = 12 * time.Hour // how long a browser remembers its orders
)

// OwnOrders remembers in a cookie which orders a browser made itself. People pass on addresses with a basket and its key, but only the
// browser that made the order may get to its payment page and read on the menu how far it is.
type OwnOrders struct {
	HTTPS bool // whether the site's public address uses it
}

const ordersCookie = "forecourt-orders" // the ids of the orders, latest first

// List returns the ids of the orders, latest first. They come from the browser, which may have made them up.
func (o OwnOrders) List(r *http.Request) []string {
	value := web.Cookie(r, o.HTTPS, ordersCookie)
	if value == "" {
		return nil
	}
	all := strings.Split(value, ".")
	return all[:min(len(all), ownLast)]
}

// Has reports whether the browser made the order.
func (o OwnOrders) Has(r *http.Request, trx string) bool { return slices.Contains(o.List(r), trx) }

// Add notes an order that the browser has made.
func (o OwnOrders) Add(w http.ResponseWriter, r *http.Request, trx string) {
	all := append([]string{trx}, o.List(r)...)
	web.SetCookie(w, o.HTTPS, ordersCookie, strings.Join(all[:min(len(all), ownLast)], "."), ownFor)
}
