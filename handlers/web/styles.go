package web

import (
	"net/http"
	"path"
	"strings"
	"time"

	"forecourt/static"
	"forecourt/views/layout"
)

// heldFor is how long a browser is assumed to have a stylesheet. A browser that dropped it has to fetch it before it paints.
const heldFor = 30 * 24 * time.Hour

// frames maps each frame's stylesheet to the cookie that says which version of it a browser has. The cookie is the same for everybody with
// that version.
var frames = map[string]string{"customer.css": "forecourt-style-customer", "site.css": "forecourt-style-site"}

// StylesFor returns which stylesheets the browser of a request has. https says whether the site's public address is.
func StylesFor(r *http.Request, https bool) *layout.Styles {
	return &layout.Styles{Held: func(name string) bool { return held(r, name) }, HTTPS: https}
}

// held reports whether the browser of a request has the stylesheet of a frame, as its cookie says: that of https counts before the other.
func held(r *http.Request, name string) bool {
	for _, https := range []bool{true, false} {
		if cookie, err := r.Cookie(styleCookieName(name, https)); err == nil {
			return cookie.Value == version(name)
		}
	}
	return false
}

// version returns the part of a stylesheet's address that changes with its text.
func version(name string) string {
	file := strings.TrimSuffix(path.Base(static.URL(name)), ".css")
	return file[strings.LastIndexByte(file, '-')+1:]
}

// StyleCookies returns the cookies of a browser that has the stylesheets of all frames.
func StyleCookies(https bool) []*http.Cookie {
	var cookies []*http.Cookie
	for name := range frames {
		cookies = append(cookies, styleCookie(name, https))
	}
	return cookies
}

func styleCookieName(name string, https bool) string {
	if https {
		return "__Host-" + frames[name]
	}
	return frames[name]
}

func styleCookie(name string, https bool) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
		Name: styleCookieName(name, https), Value: version(name), Path: "/", MaxAge: int(heldFor.Seconds()), Secure: https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// holdStyles completes the header of a page that holds styles. Its policy names them. A cookie says that the browser has the stylesheet of
// the frame, which the page makes it fetch for the next one. The stylesheet itself sets no cookie: a shared cache would not keep it, or
// would hand one browser's cookie to others.
func holdStyles(w http.ResponseWriter, r *http.Request, frame string, hashes []string) {
	allowStyles(w, hashes)
	if frame != "" {
		http.SetCookie(w, styleCookie(frame, layout.Of(r.Context()).Styles.HTTPS))
	}
}
