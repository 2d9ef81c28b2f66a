package web

import (
	"net/http"

	"forecourt/internal/secret"
)

// passkeyHour is how long a browser keeps its part of the challenges that it is asked to sign, in seconds. Each challenge is shorter.
const passkeyHour = 60 * 60

func (s *Sessions) passkeyCookie() string { return s.cookie + "-passkey" }

// Passkey returns the secret by which a browser that is not signed in answers challenges of passkeys, zero for none. It opens nothing.
func (s *Sessions) Passkey(r *http.Request) secret.Text {
	cookie, err := r.Cookie(s.passkeyCookie())
	if err != nil {
		return secret.Text{}
	}
	return secret.New(cookie.Value)
}

// SetPasskey has the browser keep that secret.
func (s *Sessions) SetPasskey(w http.ResponseWriter, token secret.Text) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // secure where the site is
		Name: s.passkeyCookie(), Value: token.Reveal(), Path: "/", MaxAge: passkeyHour, Secure: s.https, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}
