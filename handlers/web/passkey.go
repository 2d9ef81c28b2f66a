package web

import (
	"net/http"

	"forecourt/internal/secret"
)

// passkeyHour is how long, in seconds, a browser keeps the secret that belongs to its challenges. A challenge ends earlier.
const passkeyHour = 60 * 60

func (s *Sessions) passkeyCookie() string { return s.cookie + "-passkey" }

// Passkey returns the secret that ties challenges of passkeys to a browser that is not signed in, or zero if there is none. By itself it
// opens nothing.
func (s *Sessions) Passkey(r *http.Request) secret.Text {
	cookie, err := r.Cookie(s.passkeyCookie())
	if err != nil {
		return secret.Text{}
	}
	return secret.New(cookie.Value)
}

// SetPasskey makes the browser keep that secret.
func (s *Sessions) SetPasskey(w http.ResponseWriter, token secret.Text) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure if the site is
		Name: s.passkeyCookie(), Value: token.Reveal(), Path: "/", MaxAge: passkeyHour,
		Secure: s.https, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}
