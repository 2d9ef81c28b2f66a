package web

import (
	"maps"
	"net/http"
	"slices"
)

// Policy is a Content-Security-Policy: it maps directives to sources.
type Policy map[string][]string

// basePolicy holds for every page; a page that needs more widens it with Allow.
var basePolicy = Policy{
	"default-src":     {"'none'"},
	"script-src":      {"'self'"},
	styles:            {"'self'"},
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

// String prints the policy as the header carries it, in a stable order. It ends with the sources of styles, to which a page adds its own.
func (p Policy) String() string {
	text := make([]byte, 0, 1024)
	for _, directive := range slices.Sorted(maps.Keys(p)) {
		if directive != styles {
			text = append(p.print(text, directive), "; "...)
		}
	}
	return string(p.print(text, styles))
}

func (p Policy) print(text []byte, directive string) []byte {
	text = append(text, directive...)
	for _, source := range p[directive] {
		text = append(append(text, ' '), source...)
	}
	return text
}

const styles = "style-src"

// Allow is like AllowAll for one directive.
func Allow(w http.ResponseWriter, directive string, sources ...string) {
	AllowAll(w, Policy{directive: sources})
}

// AllowAll widens directives of the policy of this one answer. It starts from the policy of all pages, so a second call undoes the first.
func AllowAll(w http.ResponseWriter, wider Policy) {
	policy := maps.Clone(basePolicy)
	for directive, sources := range wider {
		policy[directive] = slices.Clone(policy[directive])
		if slices.Equal(policy[directive], []string{"'none'"}) {
			policy[directive] = nil // 'none' counts only if it is alone
		}
		for _, source := range sources {
			if !slices.Contains(policy[directive], source) {
				policy[directive] = append(policy[directive], source)
			}
		}
	}
	w.Header().Set("Content-Security-Policy", policy.String())
}

// Headers sets the headers of every answer. https says whether the public address uses it, and subdomains whether all names below it do.
func Headers(https, subdomains bool) func(http.Handler) http.Handler {
	fixed := http.Header{ // no answer changes a value in place
		"Content-Security-Policy":      {basePolicy.String()},
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
		"Referrer-Policy":              {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"camera=(), geolocation=(), microphone=(), payment=(self)"},
	}
	if https {
		fixed.Set("Strict-Transport-Security", "max-age=31536000"+map[bool]string{true: "; includeSubDomains"}[subdomains])
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			maps.Copy(w.Header(), fixed)
			next.ServeHTTP(w, r)
		})
	}
}

// SecretAddress keeps an address with a token out of the Referer of the next request.
func SecretAddress(w http.ResponseWriter) { w.Header().Set("Referrer-Policy", "strict-origin") }
