package web

import (
	"net/http"

	"forecourt/internal/fault"
	"forecourt/internal/shop"
)

// screenCookie names the cookie of a kitchen screen.
func (s *Sessions) screenCookie() string { return s.cookie + "-kitchen" }

// SetScreen makes the browser a kitchen screen for a year, from its last visit on.
func (s *Sessions) SetScreen(w http.ResponseWriter, value string) {
	s.keepYear(w, s.screenCookie(), value)
}

// KeepScreen keeps a browser a kitchen screen for another year.
func (s *Sessions) KeepScreen(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(s.screenCookie()); err == nil {
		s.SetScreen(w, cookie.Value)
	}
}

// screen returns the shop and the name of the kitchen screen that sends a request. Errors: shop.ErrMissing, shop.ErrScreenEnded.
func (t *Teams) screen(r *http.Request, code string) (one shop.Shop, name string, err error) {
	cookie, err := r.Cookie(t.sessions.screenCookie())
	if err != nil {
		return one, "", shop.ErrMissing
	}
	if !safe(r.Method) && !FromPage(r) {
		return one, "", fault.New(fault.Forbidden, "a write with a cookie and without an origin")
	}
	return t.shops.EnterScreen(r.Context(), code, cookie.Value)
}
