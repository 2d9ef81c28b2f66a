package web

import (
	"net/http"
	"time"
)

// CookieName returns the name of a cookie. Over https, browsers accept the prefix only from this host.
func CookieName(https bool, name string) string {
	if https {
		return "__Host-" + name
	}
	return name
}

// SetCookie makes a browser keep a cookie for the whole site, or forget it if age is negative.
func SetCookie(w http.ResponseWriter, https bool, name, value string, age time.Duration) {
	http.SetCookie(w, NewCookie(https, name, value, age))
}

// NewCookie returns the cookie that SetCookie sets.
func NewCookie(https bool, name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure if the site uses https
		Name: CookieName(https, name), Value: value, Path: "/", MaxAge: int(age.Seconds()),
		Secure: https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// Cookie returns the value of a cookie that SetCookie set, or "" if the browser has none.
func Cookie(r *http.Request, https bool, name string) string {
	cookie, err := r.Cookie(CookieName(https, name))
	if err != nil {
		return ""
	}
	return cookie.Value
}
