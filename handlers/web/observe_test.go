package web_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

func TestRequestsAreObservedByPattern(t *testing.T) {
	t.Parallel()
	var heard []string
	r := chi.NewRouter()
	r.Use(web.NewResponder(slog.New(slog.DiscardHandler)).Watched(func(method, route string, status int, _ time.Duration) {
		heard = append(heard, fmt.Sprintf("%s %s %d", method, route, status))
	}, nil))
	r.Get("/pos/{client}/{id}", func(w http.ResponseWriter, r *http.Request) {
		if chi.URLParam(r, "id") == "gone" {
			w.WriteHeader(http.StatusGone)
		}
		check.NoError(t, http.NewResponseController(w).Flush(), "a stream cannot flush")
	})
	r.Get("/silent", func(http.ResponseWriter, *http.Request) {})
	for _, path := range []string{"/pos/a/1", "/pos/b/gone", "/silent", "/nothing/here"} {
		r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/silent", nil))
	want := []string{"GET /pos/{client}/{id} 200", "GET /pos/{client}/{id} 410", "GET /silent 200", "GET  404", "POST  405"}
	check.List(t, heard, want, "observed")
}
