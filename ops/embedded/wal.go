package embedded

import (
	"errors"
	"maps"
	"os"
	"strings"
	"time"
)

// A Recovery says from where and until when a log is replayed on top of a backup.
type Recovery struct {
	To          time.Time // leaves out later commits; zero leaves out nothing
	Command     []string  // this program's arguments that restore a WAL file, before its name and path; nil: the backup holds the log
	Environment []string  // variables that the command needs
}

// setLog adds the settings by which PostgreSQL archives its WAL or replays one.
func (s *Server) setLog(o Options) (err error) {
	s.settings = map[string]string{}
	if o.Archive != nil {
		s.settings["archive_timeout"] = "30s" // also what does not fill a segment is archived
		s.settings["archive_mode"], s.settings["archive_command"] = "on", ownCommand(o.Archive)+" %p"
		s.environment = o.ArchiveEnvironment
	}
	maps.Copy(s.settings, o.Settings)
	if r := o.recovery; r != nil {
		s.settings["restore_command"] = "false"
		if r.Command != nil {
			s.settings["restore_command"], s.environment = ownCommand(r.Command)+" %f %p", r.Environment
		}
		s.settings["recovery_target_timeline"] = "current"
		s.settings["hot_standby"] = "off" // ready means recovered
		if !r.To.IsZero() {
			s.settings["recovery_target_time"] = r.To.UTC().Format("2006-01-02 15:04:05.999999+00")
			s.settings["recovery_target_action"] = "promote"
		}
	}
	if o.Archive == nil && (o.recovery == nil || o.recovery.Command == nil) {
		return nil
	}
	if s.program, err = os.Open("/proc/self/exe"); err != nil {
		return err
	}
	if info, err := s.program.Stat(); err != nil || s.account.dropped && info.Mode().Perm()&0o001 == 0 {
		return errors.Join(err, errors.New("PostgreSQL's user may not run this program, which archives its log: chmod o+x it"))
	}
	return nil
}

// ownCommand returns a command that runs this program. PostgreSQL inherits the program's file open, as its first after the standard ones:
// its user may not be able to reach the file by its path.
func ownCommand(args []string) string {
	words := []string{"/proc/self/fd/3"}
	for _, arg := range args {
		words = append(words, shellQuoted(arg))
	}
	return strings.Join(words, " ")
}

// shellQuoted quotes text for PostgreSQL's commands: for the shell, and for PostgreSQL, which replaces what follows a percent sign.
func shellQuoted(text string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "%", "%%").Replace(text) + "'"
}
