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

// StylesFor returns which stylesheets the browser of a request has.
func StylesFor(r *http.Request) *layout.Styles {
	return &layout.Styles{Held: func(name string) bool {
		cookie, err := r.Cookie(frames[name])
		return err == nil && cookie.Value == version(name)
	}}
}

// version returns the part of a stylesheet's address that changes with its text.
func version(name string) string {
	file := strings.TrimSuffix(path.Base(static.URL(name)), ".css")
	return file[strings.LastIndexByte(file, '-')+1:]
}

// StyleCookies returns the cookies of a browser that has the stylesheets, by the address of the stylesheet that each comes with. https
// says whether the site's public address is.
func StyleCookies(https bool) map[string]*http.Cookie {
	cookies := map[string]*http.Cookie{}
	for name, cookie := range frames {
		cookies[static.URL(name)] = &http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
			Name: cookie, Value: version(name), Path: "/", MaxAge: int(heldFor.Seconds()), Secure: https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		}
	}
	return cookies
}

// Static serves the built files. A browser that fetches the stylesheet of a frame gets its cookie.
func Static(https bool) http.HandlerFunc {
	files, cookies := static.Handler(), StyleCookies(https)
	return func(w http.ResponseWriter, r *http.Request) {
		if cookie := cookies[r.URL.Path]; cookie != nil {
			http.SetCookie(w, cookie)
		}
		files.ServeHTTP(w, r)
	}
}
