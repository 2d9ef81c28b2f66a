package web

import (
	"net/http"

	"forecourt/static"
)

// Hint names the files that a page of a business needs in 103 Early Hints, before the page is made: scripts and, for a browser that links
// it, the frame's stylesheet. It does so only for navigations over our own HTTP/2, because a proxy or an older program may take the first
// answer for the last.
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
