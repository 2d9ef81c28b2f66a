package web

import (
	"net/http"
	"time"

	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

// year is how long a browser stays known after its last sign-in, a kitchen screen after its last visit, or one that shows notices after it
// was last added.
const year = 365 * 24 * time.Hour

// hostName returns the name of a cookie. Over https, browsers accept the prefix only from this host.
func hostName(https bool, name string) string {
	if https {
		return "__Host-" + name
	}
	return name
}

// setCookie makes a browser keep a cookie for the whole site, or forget it if age is negative.
func setCookie(w http.ResponseWriter, https bool, name, value string, age time.Duration) {
	http.SetCookie(w, cookieOf(https, name, value, age))
}

func cookieOf(https bool, name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure if the site uses https
		Name: hostName(https, name), Value: value, Path: "/", MaxAge: int(age.Seconds()),
		Secure: https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// cookieValue returns the value of a cookie that setCookie made, or "" if the browser has none.
func cookieValue(r *http.Request, https bool, name string) string {
	cookie, err := r.Cookie(hostName(https, name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

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
	return secret.New(cookieValue(r, s.https, halfCookie))
}

// SetHalf makes the browser keep that secret.
func (s *Sessions) SetHalf(w http.ResponseWriter, half secret.Text) {
	setCookie(w, s.https, halfCookie, half.Reveal(), account.HalfFor)
}

// EndHalf makes the browser forget it.
func (s *Sessions) EndHalf(w http.ResponseWriter) {
	setCookie(w, s.https, halfCookie, "", -time.Second)
}

// Passkey returns the secret that ties challenges of passkeys to a browser that is not signed in, or zero if there is none.
func (s *Sessions) Passkey(r *http.Request) secret.Text {
	return secret.New(cookieValue(r, s.https, passkeyCookie))
}

// SetPasskey makes the browser keep that secret. A challenge ends earlier.
func (s *Sessions) SetPasskey(w http.ResponseWriter, token secret.Text) {
	cookie := cookieOf(s.https, passkeyCookie, token.Reveal(), time.Hour) //nolint:gosec // Secure if the site uses https
	cookie.SameSite = http.SameSiteStrictMode
	http.SetCookie(w, cookie)
}

// Known returns what account.Remember made for the browser, or "". It only keeps a stranger's failed sign-ins from locking the owner out.
func (s *Sessions) Known(r *http.Request) string { return cookieValue(r, s.https, knownCookie) }

// SetKnown makes the browser keep value for a year.
func (s *Sessions) SetKnown(w http.ResponseWriter, value string) {
	setCookie(w, s.https, knownCookie, value, year)
}

// SetNotices notes that the browser shows notices under the key of its push registration, so that signing out ends them.
func (s *Sessions) SetNotices(w http.ResponseWriter, key string) {
	setCookie(w, s.https, noticesCookie, key, year)
}

// endNotices ends the notices in a browser that signs out: the next person who uses it may not see them.
func (s *Sessions) endNotices(w http.ResponseWriter, r *http.Request) error {
	key := cookieValue(r, s.https, noticesCookie)
	if key == "" {
		return nil
	}
	if err := s.queries.NoticeBrowserForget(r.Context(), key); err != nil {
		return err // the next sign-out tries again
	}
	setCookie(w, s.https, noticesCookie, "", -time.Second)
	return nil
}

// SetScreen makes the browser a kitchen screen for a year, from its last visit on.
func (s *Sessions) SetScreen(w http.ResponseWriter, value string) {
	setCookie(w, s.https, screenCookie, value, year)
}

// KeepScreen keeps a browser a kitchen screen for another year.
func (s *Sessions) KeepScreen(w http.ResponseWriter, r *http.Request) {
	if value := cookieValue(r, s.https, screenCookie); value != "" {
		s.SetScreen(w, value)
	}
}
