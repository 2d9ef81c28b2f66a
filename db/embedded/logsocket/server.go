// Package logsocket passes files of PostgreSQL's log over a unix socket, between the program that runs PostgreSQL and the processes that
// PostgreSQL starts for each file. Such a process passes only names: the program keeps the keys and the connection to the archive.
package logsocket

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// ErrNotArchived means that the archive does not hold a file of the log.
var ErrNotArchived = errors.New("the archive does not hold this file")

// logFile matches the names of files that PostgreSQL archives: segments, histories of timelines, labels of backups, and the partial
// segment that a recovery leaves at its end.
var logFile = regexp.MustCompile(`^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.[0-9A-F]{8}\.backup|\.partial)?|\.history)$`)

// Server takes files of the log from PostgreSQL and gives them back. Its methods may be called on nil.
type Server struct {
	web *http.Server

	mu    sync.Mutex
	wrong error // the first failure to give back a file
}

// Serve answers on a listener until Close. archive keeps a file of PostgreSQL's log. fetch writes one, or returns ErrNotArchived. Either may
// be nil.
func Serve(listener net.Listener, logger *slog.Logger, archive func(ctx context.Context, name string) error, fetch func(ctx context.Context, name string, w io.Writer) error) *Server {
	s, mux := &Server{}, http.NewServeMux()
	if archive != nil {
		mux.HandleFunc("PUT /{name}", archiveFile(archive))
	}
	if fetch != nil {
		mux.HandleFunc("GET /{name}", s.giveBack(fetch))
	}
	s.web = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug)}
	go func() { _ = s.web.Serve(listener) }()
	return s
}

func archiveFile(keep func(context.Context, string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		if !logFile.MatchString(name) {
			http.Error(w, "not a file of the log", http.StatusBadRequest)
			return
		}
		if err := keep(r.Context(), name); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable) // to postgres.log, which operators alone read
		}
	}
}

func (s *Server) giveBack(fetch func(context.Context, string, io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		err := ErrNotArchived
		if logFile.MatchString(name) {
			err = fetch(r.Context(), name, w)
		}
		switch {
		case err == nil:
		case errors.Is(err, ErrNotArchived):
			http.Error(w, err.Error(), http.StatusNotFound)
		default:
			s.fail(err)
			panic(http.ErrAbortHandler) // some of it may have been written
		}
	}
}

func (s *Server) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong == nil {
		s.wrong = err
	}
}

// Failure returns the first failure to give back a file.
func (s *Server) Failure() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrong
}

// Close stops listening.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	return s.web.Close()
}
