package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// archiveTimeout is after what time PostgreSQL hands over a segment of its log that is not full.
const archiveTimeout = "30s"

// logSocket is the socket through which the program receives and returns files of the log. It lies beside PostgreSQL's own.
const logSocket = "wal.sock"

// ErrNotArchived means that the archive does not hold a file of the log.
var ErrNotArchived = errors.New("the archive does not hold this file")

// A Recovery says from where and until when a log is replayed on top of a backup.
type Recovery struct {
	To    time.Time                                                 // leaves out later commits; zero leaves out nothing
	Fetch func(ctx context.Context, name string, w io.Writer) error // writes a file of the log, or returns ErrNotArchived
}

// logFile matches the names of files that PostgreSQL archives: segments, histories of timelines, labels of backups, and the partial
// segment that a recovery leaves at its end.
var logFile = regexp.MustCompile(`^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.[0-9A-F]{8}\.backup|\.partial)?|\.history)$`)

// logServer takes files of the log from PostgreSQL, which starts the program for each of them (see Child), and gives them back.
// The child passes only names: this process keeps the keys and the connection to the archive.
type logServer struct {
	web *http.Server

	mu    sync.Mutex
	wrong error // the first failure to give back a file
}

// serveLog listens in the socket's folder and adds the settings that make PostgreSQL call.
func (s *Server) serveLog(dir string, o Options) error {
	if o.Archive == nil && o.recovery == nil {
		return nil
	}
	program, err := s.reachableProgram(dir)
	if err != nil {
		return err
	}
	socket := filepath.Join(s.socket, logSocket)
	listener, err := s.listenForLog(socket)
	if err != nil {
		return err
	}
	s.log = &logServer{}
	mux := http.NewServeMux()
	settings := maps.Clone(o.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	words := shellQuoted(program) + " " + logCommand + " "
	if o.Archive != nil {
		mux.HandleFunc("PUT /{name}", s.archiveFile(o.Archive))
		setDefault(settings, "archive_timeout", archiveTimeout)
		settings["archive_mode"] = "on"
		settings["archive_command"] = words + "archive " + shellQuoted(socket) + " %f"
	}
	if r := o.recovery; r != nil {
		mux.HandleFunc("GET /{name}", s.log.giveBack(r.Fetch))
		settings["restore_command"] = words + "restore " + shellQuoted(socket) + " %f %p"
		settings["recovery_target_timeline"] = "current"
		settings["hot_standby"] = "off" // ready means recovered
		if !r.To.IsZero() {
			settings["recovery_target_time"] = r.To.UTC().Format("2006-01-02 15:04:05.999999+00")
			settings["recovery_target_action"] = "promote"
		}
	}
	s.settings = settings
	s.log.web = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug)}
	go func() { _ = s.log.web.Serve(listener) }()
	return nil
}

// listenForLog listens on a socket that PostgreSQL's account may use.
func (s *Server) listenForLog(socket string) (net.Listener, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", socket)
	if err != nil || !s.account.dropped {
		return listener, err
	}
	if err := os.Lchown(socket, s.account.uid, s.account.gid); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

func setDefault(settings map[string]string, name, value string) {
	if _, set := settings[name]; !set {
		settings[name] = value
	}
}

// shellQuoted quotes text for PostgreSQL's commands: for the shell, and for PostgreSQL, which replaces what follows a percent sign.
func shellQuoted(text string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "%", "%%").Replace(text) + "'"
}

func (s *Server) archiveFile(keep func(context.Context, string, string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		if !logFile.MatchString(name) {
			http.Error(w, "not a file of the log", http.StatusBadRequest)
			return
		}
		if err := keep(r.Context(), name, filepath.Join(s.cluster, "pg_wal", name)); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable) // to postgres.log, which operators alone read
		}
	}
}

func (l *logServer) giveBack(fetch func(context.Context, string, io.Writer) error) http.HandlerFunc {
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
			l.fail(err)
			panic(http.ErrAbortHandler) // some of it may have been written
		}
	}
}

func (l *logServer) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == nil {
		l.wrong = err
	}
}

// failure returns the first failure to give back a file.
func (l *logServer) failure() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wrong
}

// close stops listening. It may be called on nil.
func (l *logServer) close() error {
	if l == nil {
		return nil
	}
	return l.web.Close()
}

// mayRun reports whether PostgreSQL's account can reach the program. After root became another user, it may not.
func (s *Server) mayRun(program string) bool {
	if s.account.dropped {
		return reachable(filepath.Dir(program), s.account) == nil
	}
	return unix.Access(program, unix.X_OK) == nil
}

// reachableProgram returns this program's path or, if PostgreSQL's account cannot reach it, the path of a copy in the data folder.
func (s *Server) reachableProgram(dir string) (string, error) {
	program, err := os.Executable()
	if err != nil || s.mayRun(program) {
		return program, err
	}
	copied := filepath.Join(dir, "forecourt-wal")
	if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if os.Link(program, copied) == nil {
		return copied, nil
	}
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return "", err
	}
	defer from.Close()
	//nolint:gosec // PostgreSQL's account executes it
	to, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Chmod(0o755), to.Close()); err != nil {
		return "", fmt.Errorf("copy the program to where PostgreSQL's user can run it: %w", err)
	}
	return copied, nil
}
