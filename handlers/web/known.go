package web

import "net/http"

// knownYear is how long a browser stays known after its last sign-in, in seconds, or a kitchen screen after its last visit.
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

// SetKnown makes the browser keep value for a year.
func (s *Sessions) SetKnown(w http.ResponseWriter, value string) {
	s.keepYear(w, s.knownCookie(), value)
}

// noticesCookie names the cookie with the key of a browser that shows notices.
func (s *Sessions) noticesCookie() string { return s.cookie + "-notices" }

// SetNotices notes that the browser shows notices under the key of its push registration, so that signing out ends them.
func (s *Sessions) SetNotices(w http.ResponseWriter, key string) {
	s.keepYear(w, s.noticesCookie(), key)
}

// endNotices ends the notices in a browser that signs out: the next person who uses it may not see them.
func (s *Sessions) endNotices(w http.ResponseWriter, r *http.Request) error {
	cookie, err := r.Cookie(s.noticesCookie())
	if err != nil {
		return nil //nolint:nilerr // it shows none
	}
	http.SetCookie(w, &http.Cookie{Name: s.noticesCookie(), Path: "/", MaxAge: -1, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode}) //nolint:gosec // secure if the site is
	return s.queries.NoticeBrowserForget(r.Context(), cookie.Value)
}

func (s *Sessions) keepYear(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure if the site is
		Name: name, Value: value, Path: "/", MaxAge: knownYear, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
