package web

import "net/http"

// knownYear is how long a browser stays known after its last sign-in, in seconds, a kitchen screen after its last visit, or one that shows
// notices after it was last added.
const knownYear = 365 * 24 * 60 * 60

func (s *Sessions) knownCookie() string { return s.cookie + "-known" }

// Known returns the cookie that account.Remember made for the browser, or "" for none. It signs nobody in; it only keeps a stranger's
// failed sign-ins from locking the owner out.
func (s *Sessions) Known(r *http.Request) string {
	cookie, err := r.Cookie(s.knownCookie())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetKnown makes the browser keep value for a year.
func (s *Sessions) SetKnown(w http.ResponseWriter, value string) {
	s.keepYear(w, s.knownCookie(), value)
}

func (s *Sessions) keepYear(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure if the site is
		Name: name, Value: value, Path: "/", MaxAge: knownYear, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
