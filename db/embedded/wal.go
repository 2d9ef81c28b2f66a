package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/db/embedded/logsocket"
)

// archiveTimeout is after what time PostgreSQL hands over a segment of its log that is not full.
const archiveTimeout = "30s"

// logSocket is the socket through which the program receives and returns files of the log. It lies beside PostgreSQL's own.
const logSocket = "wal.sock"

// ErrNotArchived means that the archive does not hold a file of the log.
var ErrNotArchived = logsocket.ErrNotArchived

// A Recovery says from where and until when a log is replayed on top of a backup.
type Recovery struct {
	To    time.Time                                                 // leaves out later commits; zero leaves out nothing
	Fetch func(ctx context.Context, name string, w io.Writer) error // writes a file of the log, or returns ErrNotArchived
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
	var archive func(context.Context, string) error
	var fetch func(context.Context, string, io.Writer) error
	settings := maps.Clone(o.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	words := shellQuoted(program) + " " + logCommand + " "
	if o.Archive != nil {
		archive = func(ctx context.Context, name string) error {
			return o.Archive(ctx, name, filepath.Join(s.cluster, "pg_wal", name))
		}
		setDefault(settings, "archive_timeout", archiveTimeout)
		settings["archive_mode"] = "on"
		settings["archive_command"] = words + "archive " + shellQuoted(socket) + " %f"
	}
	if r := o.recovery; r != nil {
		fetch = r.Fetch
		settings["restore_command"] = words + "restore " + shellQuoted(socket) + " %f %p"
		settings["recovery_target_timeline"] = "current"
		settings["hot_standby"] = "off" // ready means recovered
		if !r.To.IsZero() {
			settings["recovery_target_time"] = r.To.UTC().Format("2006-01-02 15:04:05.999999+00")
			settings["recovery_target_action"] = "promote"
		}
	}
	s.settings = settings
	s.log = logsocket.Serve(listener, s.logger, archive, fetch)
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
