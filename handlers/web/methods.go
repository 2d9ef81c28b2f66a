package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// TellMethods says in the Allow header which methods an address takes, as an answer with status 405 has to.
func TellMethods(w http.ResponseWriter, r *http.Request) {
	routes := chi.RouteContext(r.Context()).Routes
	var allowed []string
	for _, method := range []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		asked := method
		if method == http.MethodHead {
			asked = http.MethodGet // whose handler also answers HEAD
		}
		if routes.Match(chi.NewRouteContext(), asked, r.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
}

// isCall reports whether a request is for an address that programs call, and which therefore answers in JSON.
func isCall(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/gateway/")
}

// RefuseMethod answers 405: a program gets JSON and a person gets page.
func RefuseMethod(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if isCall(r) {
			TellMethodsJSON(w, r)
			return
		}
		page(w, r)
	}
}

// TellMethodsJSON answers 405 for the API.
func TellMethodsJSON(w http.ResponseWriter, r *http.Request) {
	TellMethods(w, r)
	_ = WriteJSON(w, http.StatusMethodNotAllowed, map[string]string{"error": "This call does not take that method."})
}
