package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/views/site"
)

// isCall reports whether a request is for an address that programs call, and which therefore answers in JSON.
func isCall(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/gateway/")
}

// RefuseMethod answers 405, a program in JSON and a person with a page. The Allow header says which methods the address takes.
func (s *Responder) RefuseMethod(w http.ResponseWriter, r *http.Request) {
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
	s.Answer(func(w http.ResponseWriter, r *http.Request) error {
		if isCall(r) {
			return WriteJSON(w, http.StatusMethodNotAllowed, map[string]string{"error": "This call does not take that method."})
		}
		return Render(w, r, http.StatusMethodNotAllowed, site.Failed(site.FailureFor(http.StatusMethodNotAllowed, RequestID(r))))
	})(w, r)
}
