package embedded

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// archiveTimeout is after what time PostgreSQL archives a segment of its log that is not full.
const archiveTimeout = "30s"

// A Recovery says from where and until when a log is replayed on top of a backup.
type Recovery struct {
	To          time.Time // leaves out later commits; zero leaves out nothing
	Command     []string  // this program's arguments that restore a file of the log, before its name and path; nil: the backup holds the log
	Environment []string  // variables that the command needs
}

// setLog adds the settings by which PostgreSQL archives its log or replays one.
func (s *Server) setLog(dir string, o Options) error {
	settings := maps.Clone(o.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	s.settings = settings
	if o.Archive != nil {
		command, err := s.ownCommand(dir, o.Archive)
		if err != nil {
			return err
		}
		setDefault(settings, "archive_timeout", archiveTimeout)
		settings["archive_mode"], settings["archive_command"] = "on", command+" %p"
		s.environment = o.ArchiveEnvironment
	}
	r := o.recovery
	if r == nil {
		return nil
	}
	settings["restore_command"] = "false"
	if r.Command != nil {
		command, err := s.ownCommand(dir, r.Command)
		if err != nil {
			return err
		}
		settings["restore_command"], s.environment = command+" %f %p", r.Environment
	}
	settings["recovery_target_timeline"] = "current"
	settings["hot_standby"] = "off" // ready means recovered
	if !r.To.IsZero() {
		settings["recovery_target_time"] = r.To.UTC().Format("2006-01-02 15:04:05.999999+00")
		settings["recovery_target_action"] = "promote"
	}
	return nil
}

func setDefault(settings map[string]string, name, value string) {
	if _, set := settings[name]; !set {
		settings[name] = value
	}
}

// ownCommand returns a command that runs this program.
func (s *Server) ownCommand(dir string, args []string) (string, error) {
	program, err := s.reachableProgram(dir)
	words := []string{shellQuoted(program)}
	for _, arg := range args {
		words = append(words, shellQuoted(arg))
	}
	return strings.Join(words, " "), err
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
