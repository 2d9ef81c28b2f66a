package web

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Policy is a Content-Security-Policy: directive to sources.
type Policy map[string][]string

// basePolicy holds for every page; a page that needs more widens it with Allow.
var basePolicy = Policy{
	"default-src":     {"'none'"},
	"script-src":      {"'self'"},
	"style-src":       {"'self'"},
	"img-src":         {"'self'", "data:"},
	"font-src":        {"'self'"},
	"connect-src":     {"'self'"},
	"manifest-src":    {"'self'"},
	"worker-src":      {"'self'"},
	"form-action":     {"'self'"},
	"frame-ancestors": {"'none'"},
	"base-uri":        {"'none'"},
	"object-src":      {"'none'"},
}

// String prints the policy as the header carries it, in a stable order.
func (p Policy) String() string {
	var parts []string
	for _, directive := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, directive+" "+strings.Join(p[directive], " "))
	}
	return strings.Join(parts, "; ")
}

// Allow widens one directive of the policy of this one answer.
func Allow(w http.ResponseWriter, directive string, sources ...string) {
	AllowAll(w, Policy{directive: sources})
}

// AllowAll widens several directives of the policy of this one answer. Each source is named once.
func AllowAll(w http.ResponseWriter, wider Policy) {
	policy := maps.Clone(basePolicy)
	for directive, sources := range wider {
		policy[directive] = slices.Clone(policy[directive])
		if slices.Equal(policy[directive], []string{"'none'"}) {
			policy[directive] = nil // which means anything beside nothing else only
		}
		for _, source := range sources {
			if !slices.Contains(policy[directive], source) {
				policy[directive] = append(policy[directive], source)
			}
		}
	}
	w.Header().Set("Content-Security-Policy", policy.String())
}

// allowStyles adds the styles that the page holds to the policy of this one answer. A handler that sets a policy has to do it before.
func allowStyles(w http.ResponseWriter, hashes []string) {
	if len(hashes) == 0 {
		return
	}
	before, rest, found := strings.Cut(w.Header().Get("Content-Security-Policy"), "style-src ")
	if !found {
		return
	}
	sources, after, _ := strings.Cut(rest, ";")
	w.Header().Set("Content-Security-Policy", before+"style-src "+sources+" "+strings.Join(hashes, " ")+";"+after)
}

// Headers sets what every answer carries. https says whether the public address is.
func Headers(https bool) func(http.Handler) http.Handler {
	fixed := map[string]string{
		"Content-Security-Policy":      basePolicy.String(),
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(self)",
	}
	if https {
		fixed["Strict-Transport-Security"] = "max-age=31536000"
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header := w.Header()
			for name, value := range fixed {
				header.Set(name, value)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// SecretAddress keeps an address that holds a token out of the Referer of the next request.
func SecretAddress(w http.ResponseWriter) { w.Header().Set("Referrer-Policy", "strict-origin") }
