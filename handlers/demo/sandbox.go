package demo

import "net/http"

// Sandbox serves the public pages of the built-in gateway below /sandbox; nil without one.
func Sandbox(pages http.Handler) http.HandlerFunc {
	if pages == nil {
		return nil
	}
	return http.StripPrefix("/sandbox", pages).ServeHTTP
}
