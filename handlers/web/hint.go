package web

import (
	"net/http"

	"forecourt/static"
)

// Hint sends the files that a page of a business needs as 103 Early Hints, before the page is made: scripts, and the frame's stylesheet for
// a browser that links it. It does so only for navigations over our own HTTP/2: a proxy or an older program may take the first answer for
// the last.
func Hint(w http.ResponseWriter, r *http.Request, script string) {
	if r.ProtoMajor < 2 || r.TLS == nil || r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return
	}
	var links []string
	if held(r, "customer.css") {
		links = append(links, "<"+static.URL("customer.css")+">; rel=preload; as=style")
	}
	for _, address := range static.Preload(script) {
		links = append(links, "<"+address+">; rel=modulepreload")
	}
	w.Header()["Link"] = links
	w.WriteHeader(http.StatusEarlyHints)
	w.Header().Del("Link")
}
