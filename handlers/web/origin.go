package web

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"forecourt/internal/kit/fault"
)

// fromElsewhere explains to the developer of another site's page why its call is refused.
const fromElsewhere = "A page of another site sent this request, according to its Origin or " +
	"Sec-Fetch-Site header. Call the API from your server instead."

// hostedPage is the address to which shops on other sites send their customers by a form. It uses no session.
const hostedPage = "/sandbox/hps"

// SameOrigin refuses unsafe requests that another site made a browser send. origins are the site's own, such as "https://pay.example". A
// page under any other name on the internet is another site, even if the browser found this server under that name, because anybody can
// let their own name lead here (DNS rebinding). If origins is empty, every name that leads here is ours.
func (s *Responder) SameOrigin(origins []string) func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.AddInsecureBypassPattern("POST " + hostedPage)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			err := protection.Check(r)
			if len(origins) > 0 && !Safe(r.Method) && r.URL.Path != hostedPage {
				err = checkOrigin(r, origins, err)
			}
			if err == nil {
				next.ServeHTTP(w, r)
				return
			}
			s.Answer(func(http.ResponseWriter, *http.Request) error {
				return &APIError{Err: fault.Wrap(fault.Forbidden, err, "cross-origin"), Text: fromElsewhere, Field: "Origin"}
			})(w, r)
		})
	}
}

// checkOrigin compares a request with the site's own origins. compared is the result of comparing its Origin with its Host.
func checkOrigin(r *http.Request, origins []string, compared error) error {
	origin, fetched := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	own := slices.Contains(origins, origin)
	switch {
	case own && fetched == "": // an older browser, perhaps behind a proxy that sends its own Host
		return nil
	case compared != nil || own:
		return compared
	case origin == "" && fetched == "": // a program
		return nil
	}
	host := r.Host // for a page that hides its origin
	if page, err := url.Parse(origin); err == nil && page.Host != "" {
		host = page.Host
	} else if slices.ContainsFunc(origins, func(own string) bool { _, name, _ := strings.Cut(own, "://"); return name == host }) {
		return nil
	}
	if !PublicName(host) {
		return nil
	}
	return fmt.Errorf("a page of %q, which is not among those of FORECOURT_URL", host)
}

// PublicName reports whether a Host is a name on the internet, whose owner can let it lead to this server. Addresses, localhost and names
// without a dot are not.
func PublicName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return net.ParseIP(host) == nil && strings.Contains(host, ".")
}

// FromPage reports whether a write says which page it comes from. Browsers say so, programs do not. SameOrigin has already refused pages of
// other sites.
func FromPage(r *http.Request) bool {
	return r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
}

// Safe reports whether requests of a method change nothing.
func Safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
