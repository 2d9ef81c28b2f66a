package web

import "net/http"

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
	if err := s.queries.NoticeBrowserForget(r.Context(), cookie.Value); err != nil {
		return err // the next sign-out tries again
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure if the site is
		Name: s.noticesCookie(), Path: "/", MaxAge: -1, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return nil
}
