package web

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/internal/kit/fault"
	"forecourt/views/site"
)

// IsCall reports whether a request is for an address that programs call, and which therefore answers in JSON.
func IsCall(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path+"/", "/api/") || strings.HasPrefix(r.URL.Path+"/", "/gateway/")
}

// Meant leads from an address that was copied with the end of its sentence to the address itself.
func Meant(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		meant := url.URL{Path: strings.TrimRight(r.URL.Path, ".,;:!?)>’”\" \u00a0\u200b"), RawQuery: r.URL.RawQuery}
		if passedOn(meant.Path) && meant.Path != r.URL.Path && r.Method == http.MethodGet {
			http.Redirect(w, r, meant.String(), http.StatusMovedPermanently)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// passedOn reports whether people pass an address on in what they write.
func passedOn(path string) bool {
	return strings.HasPrefix(path, "/pos/") || strings.HasPrefix(path, "/s/") || strings.HasPrefix(path, "/receipt/")
}

// Unknown answers for an address that nothing serves: a program in JSON, a person with page. An address with a slash at its end leads to
// that without, if there is one.
func (s *Responder) Unknown(page HandlerFunc) http.HandlerFunc {
	return s.Answer(func(w http.ResponseWriter, r *http.Request) error {
		if IsCall(r) {
			return &APIError{Err: fault.New(fault.NotFound, "no such call"), Text: "There is no such call."}
		}
		without := strings.TrimRight(r.URL.Path, "/")
		routes := chi.RouteContext(r.Context()).Routes
		served := routes.Find(chi.NewRouteContext(), http.MethodGet, without)
		if without != r.URL.Path && served != "" && served != "/{page}" && r.Method == http.MethodGet && !strings.HasPrefix(without, "//") {
			to := url.URL{Path: without, RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
			return nil
		}
		return Real(page)(w, r)
	})
}

// Real answers an address with page unless only programs ask for such names: files that are not here, and checks of other servers. They get
// a plain 404.
func Real(page HandlerFunc) HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if name := strings.ToLower(path.Base(r.URL.Path)); strings.Contains(name, ".") || slices.Contains(probes, name) {
			return fault.New(fault.NotFound, "no such file")
		}
		return page(w, r)
	}
}

var probes = strings.Fields(`health healthcheck livez live ready ping metrics version
	actuator graphql server-status phpmyadmin cgi-bin gateway`)

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
		if IsCall(r) {
			return WriteJSON(w, http.StatusMethodNotAllowed, map[string]string{"error": "This call does not take that method."})
		}
		return Render(w, r, http.StatusMethodNotAllowed, site.Failed(site.FailureFor(http.StatusMethodNotAllowed, r.URL, RequestID(r))))
	})(w, r)
}
