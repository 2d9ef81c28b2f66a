package bridge

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Origins lists the origins whose pages may use the terminal. An empty list allows every origin on this computer.
type Origins []string

// ParseOrigin reads an origin as browsers send it: "https://shop.example", "http://localhost:8080".
func ParseOrigin(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+strings.ToLower(u.Host) != s {
		return "", fmt.Errorf("%q is not an origin such as https://shop.example", s)
	}
	return s, nil
}

// admit reports whether a request may pass (BRIDGE-17), and lets an allowed page read the answer.
//
// Checking Host keeps out pages that make their own name resolve to this computer. A program on this computer sends neither Origin nor
// Sec-Fetch-Site. A browser also omits Origin when it loads the address as a picture or follows a link to it, but then says in
// Sec-Fetch-Site where the request came from. "none" is an address that somebody typed, or a link in a mail or a document: it may look at
// the status, and neither starts nor cancels a payment.
func (o Origins) admit(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Origin")
	if !localName(r.Host) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		site := r.Header.Get("Sec-Fetch-Site")
		return site == "" || site == "none" && r.URL.Path == "/status/"
	}
	if !o.allow(origin) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	return true
}

func (o Origins) allow(origin string) bool {
	if len(o) > 0 {
		return slices.Contains(o, origin)
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && (localName(u.Host) || u.Hostname() == "::1")
}

// localName reports whether a host, with or without a port, is one of the two names of this service.
func localName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || host == "127.0.0.1"
}

// preflight tells a browser what an allowed page may send, and that a page from the public network may send it to this computer.
func preflight(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", http.MethodGet)
	header.Set("Access-Control-Allow-Headers", "Content-Type")
	header.Set("Access-Control-Max-Age", "600")
	header.Add("Vary", "Access-Control-Request-Private-Network")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		header.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
}
