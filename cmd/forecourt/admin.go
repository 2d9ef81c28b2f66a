package main

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"forecourt/handlers/web"
)

// serveAdmin serves metrics and profiles until stop is called.
func serveAdmin(listener net.Listener, figures prometheus.Gatherer, log *slog.Logger) (stop func()) {
	if listener == nil {
		return func() {}
	}
	server := &http.Server{
		Handler: byAddress(adminHandler(figures, log)), ReadHeaderTimeout: 5 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the admin listener ended", "error", err)
		}
	}()
	log.Info("admin listener", "address", "http://"+listener.Addr().String())
	return func() { _ = server.Close() }
}

// byAddress refuses requests whose Host is a public name. Otherwise another site's page could point its own name at this listener and
// read metrics and profiles (DNS rebinding). Addresses, localhost and names without a dot pass.
func byAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if web.PublicName(r.Host) {
			http.Error(w, "ask by address", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func adminHandler(figures prometheus.Gatherer, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(figures, promhttp.HandlerOpts{
		// A metric that cannot be collected must not hide the others.
		ErrorHandling: promhttp.ContinueOnError, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError),
	}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
