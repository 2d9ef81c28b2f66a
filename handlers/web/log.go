package web

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/tracing"
)

// RequestID returns the id of a request in the log.
func RequestID(r *http.Request) string { return tracing.RequestOf(r.Context()) }

// Identified gives each request an id and sends it to the client. It has to come before everything that logs.
func Identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()[:16]
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(tracing.WithRequest(r.Context(), id)))
	})
}

// Log returns log with the request's id and route pattern. Addresses are not logged, because they contain ids of transactions and what
// people typed into a query.
func Log(r *http.Request, log *slog.Logger) *slog.Logger {
	return LogOf(r.Context(), log).With("method", loggable(r.Method))
}

// LogOf is Log for what has only the request's context.
func LogOf(ctx context.Context, log *slog.Logger) *slog.Logger {
	log = log.With("request", tracing.RequestOf(ctx))
	if route := chi.RouteContext(ctx); route != nil {
		log = log.With("route", route.RoutePattern())
	}
	return log
}

// loggable returns a text from a sender, unless it contains a card number.
func loggable(text string) string {
	if card.HoldsCard(text) {
		return secret.Redacted
	}
	return text
}
