package site

import (
	"io"
	"net/http"
)

// ShowRobots answers GET /robots.txt. It keeps search engines away from calls for programs. Pages that must not be listed say so in
// X-Robots-Tag, which a search engine has to be allowed to read.
func ShowRobots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: /api/\nDisallow: /gateway/\nDisallow: /sandbox/\n")
}
