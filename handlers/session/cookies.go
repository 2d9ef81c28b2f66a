package session

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
)

// year is how long a browser stays a kitchen screen after its last visit, or one that shows notices after it was last added.
const year = 365 * 24 * time.Hour

// These are the cookies. Only a session's signs anybody in.
const (
	sessionCookie = "forecourt"
	halfCookie    = "forecourt-half"
	passkeyCookie = "forecourt-passkey"
	knownCookie   = "forecourt-known"
	noticesCookie = "forecourt-notices"
	screenCookie  = "forecourt-kitchen"
)

// Half returns the secret of a sign-in that waits for its second step, or zero for none.
func (s *Sessions) Half(r *http.Request) secret.Text {
	return secret.New(web.Cookie(r, s.HTTPS, halfCookie))
}

// SetHalf makes the browser keep that secret.
func (s *Sessions) SetHalf(w http.ResponseWriter, half secret.Text) {
	web.SetCookie(w, s.HTTPS, halfCookie, half.Reveal(), account.HalfFor)
}

// EndHalf makes the browser forget it.
func (s *Sessions) EndHalf(w http.ResponseWriter) {
	web.SetCookie(w, s.HTTPS, halfCookie, "", -time.Second)
}

// Passkey returns the secret that ties challenges of passkeys to a browser that is not signed in, or zero if there is none.
func (s *Sessions) Passkey(r *http.Request) secret.Text {
	return secret.New(web.Cookie(r, s.HTTPS, passkeyCookie))
}

// SetPasskey makes the browser keep that secret. A challenge ends earlier.
func (s *Sessions) SetPasskey(w http.ResponseWriter, token secret.Text) {
	cookie := web.NewCookie(s.HTTPS, passkeyCookie, token.Reveal(), time.Hour) //nolint:gosec // Secure if the site uses https
	cookie.SameSite = http.SameSiteStrictMode
	http.SetCookie(w, cookie)
}

// Known returns what account.Remember made for the browser, or "". It only keeps a stranger's failed sign-ins from locking the owner out.
func (s *Sessions) Known(r *http.Request) string { return web.Cookie(r, s.HTTPS, knownCookie) }

// Browser returns for whom limits count a browser in which somebody signed in before; ok is false for any other. It costs no query.
func (s *Sessions) Browser(r *http.Request) (who throttle.Who, ok bool) {
	id, ok := s.Accounts.Browser(s.Known(r))
	return throttle.Known(id.String()), ok
}

// SetKnown makes the browser keep value.
func (s *Sessions) SetKnown(w http.ResponseWriter, value string) {
	web.SetCookie(w, s.HTTPS, knownCookie, value, account.KnownFor)
}

// SetNotices notes that the browser shows notices under the key of its push registration, so that signing out ends them.
func (s *Sessions) SetNotices(w http.ResponseWriter, key string) {
	web.SetCookie(w, s.HTTPS, noticesCookie, key, year)
}

// endNotices ends the notices in a browser that signs out: the next person who uses it may not see them.
func (s *Sessions) endNotices(w http.ResponseWriter, r *http.Request) error {
	key := web.Cookie(r, s.HTTPS, noticesCookie)
	if key == "" {
		return nil
	}
	if err := s.EndNotices(r.Context(), key); err != nil {
		return err // the next sign-out tries again
	}
	web.SetCookie(w, s.HTTPS, noticesCookie, "", -time.Second)
	return nil
}

// SetScreen makes the browser a kitchen screen for a year, from its last visit on.
func (s *Sessions) SetScreen(w http.ResponseWriter, value string) {
	web.SetCookie(w, s.HTTPS, screenCookie, value, year)
}

// KeepScreen keeps a browser a kitchen screen for another year.
func (s *Sessions) KeepScreen(w http.ResponseWriter, r *http.Request) {
	if value := web.Cookie(r, s.HTTPS, screenCookie); value != "" {
		s.SetScreen(w, value)
	}
}

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

const previewFor = 12 * time.Hour

// Preview remembers in a cookie that a browser belongs to a member of a shop's team, who may try the menu in test mode at any hour. Guests'
// pages load no session, so they need this cookie. It is not signed: whoever makes one up can place a test order at night, and nothing is
// charged.
type Preview struct {
	HTTPS bool // whether the site's public address uses it
}

const previewCookie = "forecourt-trial"

// Begin notes that the browser tries the menu of a shop.
func (t Preview) Begin(w http.ResponseWriter, shop string) {
	web.SetCookie(w, t.HTTPS, previewCookie, shop, previewFor)
}

// Of reports whether the browser tries the menu of a shop.
func (t Preview) Of(r *http.Request, shop string) bool {
	return shop != "" && web.Cookie(r, t.HTTPS, previewCookie) == shop
}

// Menu returns the menu as the browser may order from it.
func (t Preview) Menu(r *http.Request, menu *order.Menu) *order.Menu {
	if t.Of(r, menu.Shop.Code) {
		return menu.AtAnyHour()
	}
	return menu
}
