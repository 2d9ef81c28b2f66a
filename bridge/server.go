package bridge

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"forecourt/internal/kit/money"
)

// maxRef is the length of the longest reference.
const maxRef = 64

// Server answers the calls status/, pay/ and cancel/ (BRIDGE-19 to BRIDGE-24) from pages and programs on this computer.
type Server struct {
	terminal *Terminal
	origins  Origins
}

// NewServer returns a server that lets pages of origins use terminal.
func NewServer(terminal *Terminal, origins Origins) *Server {
	return &Server{terminal: terminal, origins: origins}
}

// ServeHTTP answers every call with a Status, or with {"error": "…"} and a suitable 4xx.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !s.origins.admit(w, r) {
		refuse(w, http.StatusForbidden, "this page or host may not use the terminal")
		return
	}
	call, ok := map[string]func(url.Values) (Status, string){
		"/status/": s.status, "/pay/": s.pay, "/cancel/": s.cancel,
	}[r.URL.Path]
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "the calls are status/, pay/ and cancel/")
		return
	case r.Method == http.MethodOptions:
		preflight(w, r)
		return
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, "every call is a GET")
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(w, http.StatusBadRequest, "the query does not parse")
		return
	}
	answer, problem := call(query)
	switch {
	case problem != "":
		refuse(w, http.StatusBadRequest, problem)
	case answer.Status == Busy:
		write(w, http.StatusConflict, answer)
	default:
		write(w, http.StatusOK, answer)
	}
}

func (s *Server) status(url.Values) (Status, string) { return s.terminal.Status(), "" }

func (s *Server) pay(query url.Values) (Status, string) {
	ref, problem := readRef(query)
	if problem != "" {
		return Status{}, problem
	}
	minor, err := money.Parse(query.Get("amount"))
	if err != nil || minor == 0 {
		return Status{}, "amount has to be an amount above zero, such as 5.00"
	}
	return s.terminal.Pay(ref, minor), ""
}

func (s *Server) cancel(query url.Values) (Status, string) {
	ref, problem := readRef(query)
	if problem != "" {
		return Status{}, problem
	}
	return s.terminal.Cancel(ref), ""
}

func readRef(query url.Values) (ref, problem string) {
	ref = query.Get("ref")
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if ref == "" || len(ref) > maxRef || strings.ContainsFunc(ref, odd) {
		return "", "ref has to be 1 to 64 printable ASCII characters without spaces"
	}
	return ref, ""
}

func refuse(w http.ResponseWriter, status int, problem string) {
	write(w, status, map[string]string{"error": problem})
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // an error here only means that the caller has gone
}
