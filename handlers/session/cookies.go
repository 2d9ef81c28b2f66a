package session

import (
	"net/http"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

// year is how long a browser stays known after its last sign-in, a kitchen screen after its last visit, or one that shows notices after it
// was last added.
const year = 365 * 24 * time.Hour

// These are the cookies beside the session's. None of them signs anybody in.
const (
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

// SetKnown makes the browser keep value for a year.
func (s *Sessions) SetKnown(w http.ResponseWriter, value string) {
	web.SetCookie(w, s.HTTPS, knownCookie, value, year)
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
