package pos

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// ownLast is how many of its orders a browser remembers; the back button hardly reaches further.
	ownLast = 8
	ownFor  = 12 * time.Hour
)

// own remembers which orders a browser made itself. People pass on addresses with a basket and its key, but the payment page is
// for those who made the order.
type own struct{ https bool }

// cookie names what holds the ids of the orders, latest first.
func (o own) cookie() string {
	if o.https {
		return "__Host-forecourt-orders"
	}
	return "forecourt-orders"
}

func (o own) list(r *http.Request) []string {
	cookie, err := r.Cookie(o.cookie())
	if err != nil {
		return nil
	}
	return strings.Split(cookie.Value, ".")
}

func (o own) has(r *http.Request, trx string) bool { return slices.Contains(o.list(r), trx) }

// add notes an order that the browser has made.
func (o own) add(w http.ResponseWriter, r *http.Request, trx string) {
	all := append([]string{trx}, o.list(r)...)
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
		Name: o.cookie(), Value: strings.Join(all[:min(len(all), ownLast)], "."), Path: "/", MaxAge: int(ownFor.Seconds()),
		Secure: o.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
