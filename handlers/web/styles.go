package web

import (
	"net/http"
	"path"
	"strings"
	"time"

	"forecourt/static"
	"forecourt/views/ui"
)

// heldFor is how long we assume that a browser has a stylesheet. A browser that has dropped it has to fetch it before it paints.
const heldFor = 30 * 24 * time.Hour

// frames maps each frame's stylesheet to the cookie that says which version a browser has. The cookie is the same for everybody with that
// version.
var frames = map[string]string{"customer.css": "forecourt-style-customer", "site.css": "forecourt-style-site"}

// StylesFor tells which stylesheets the browser of a request has. https says whether the site's public address uses it.
func StylesFor(r *http.Request, https bool) *ui.Styles {
	return &ui.Styles{Held: func(name string) bool { return held(r, name) }, HTTPS: https}
}

// held reports whether the browser of a request has the stylesheet of a frame, according to its cookies. The cookie of https comes before
// the other.
func held(r *http.Request, name string) bool {
	for _, https := range []bool{true, false} {
		if value := Cookie(r, https, frames[name]); value != "" {
			return value == version(name)
		}
	}
	return false
}

// version returns the part of a stylesheet's address that changes with its text.
func version(name string) string {
	file := strings.TrimSuffix(path.Base(static.URL(name)), ".css")
	return file[strings.LastIndexByte(file, '-')+1:]
}

// StyleCookie returns the cookie for a browser that has the stylesheet of a frame.
func StyleCookie(name string, https bool) *http.Cookie {
	return NewCookie(https, frames[name], version(name), heldFor)
}

// holdStyles completes the header of a page that contains styles, or the script of early presses. The policy gets their hashes. A cookie
// notes that the browser has the stylesheet of the frame, which this page makes it fetch for the next page. The stylesheet itself cannot
// set the cookie: a shared cache would not keep it, or would hand one browser's cookie to others.
func holdStyles(w http.ResponseWriter, held ui.PageStyles) {
	if policy := w.Header().Get("Content-Security-Policy"); held.Early {
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, "script-src 'self'", "script-src 'self' "+static.Early.Hash, 1))
	}
	allowStyles(w, held.Hashes)
	if held.Frame != "" {
		http.SetCookie(w, StyleCookie(held.Frame, held.HTTPS))
	}
}

// allowStyles adds the hashes of the page's own styles to the policy of this answer, which ends with the sources of styles. A handler that
// sets a policy has to do so earlier.
func allowStyles(w http.ResponseWriter, hashes []string) {
	if policy := w.Header().Get("Content-Security-Policy"); policy != "" && len(hashes) > 0 {
		w.Header().Set("Content-Security-Policy", policy+" "+strings.Join(hashes, " "))
	}
}
