package web

import (
	"net/http"

	"forecourt/internal/secret"
)

// halfMinutes is how long a browser may take for the second step; the database allows the same time.
const halfMinutes = 10

func (s *Sessions) halfCookie() string { return s.cookie + "-half" }

// Half returns the secret of a sign-in that waits for its second step, or zero for none. The secret alone opens nothing.
func (s *Sessions) Half(r *http.Request) secret.Text {
	cookie, err := r.Cookie(s.halfCookie())
	if err != nil {
		return secret.Text{}
	}
	return secret.New(cookie.Value)
}

// SetHalf makes the browser keep the secret of a sign-in that waits for its second step.
func (s *Sessions) SetHalf(w http.ResponseWriter, half secret.Text) {
	s.setHalf(w, half.Reveal(), halfMinutes*60)
}

// EndHalf makes the browser forget it.
func (s *Sessions) EndHalf(w http.ResponseWriter) { s.setHalf(w, "", -1) }

func (s *Sessions) setHalf(w http.ResponseWriter, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure if the site is
		Name: s.halfCookie(), Value: value, Path: "/", MaxAge: seconds, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
