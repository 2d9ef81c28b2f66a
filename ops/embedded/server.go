// Package embedded runs the PostgreSQL that the binary carries: it unpacks PostgreSQL, makes the database, starts the server, restarts it
// when it dies and stops it with the program. Everything lies in one data folder.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Database is the name of the database in every data folder.
const Database = "forecourt"

// AppRole is the role that requests and commands run as. Start does not make it. It has no password, so it can sign in only over the unix
// socket.
const AppRole = "forecourt_app"

// stopGrace is how long postgres may take for an immediate stop, which is safe, when no time is left for a clean one.
const stopGrace = 3 * time.Second

// ErrLocked means that another program uses the data folder.
var ErrLocked = errors.New("another program uses this data folder")

// ErrUnreachable means that the program runs as root and PostgreSQL's user cannot enter a folder above the data folder, which then has to
// lie elsewhere.
var ErrUnreachable = errors.New("PostgreSQL does not run as root, and the user it runs as cannot reach the data folder")

// ErrNone means that the data folder holds no database although Options asked for an existing one.
var ErrNone = errors.New("the folder has no database")

// Options say where and how the server runs. Only Dir is required.
type Options struct {
	Dir      string            // the data folder; made with mode 0700 when missing
	Existing bool              // make no database: ErrNone where the folder holds none
	Logger   *slog.Logger      // nil is silent; PostgreSQL's own messages go to postgres.log in Dir
	Settings map[string]string // PostgreSQL settings that win over the built-in ones

	// Archive holds this program's arguments that copy a WAL file, whose path comes last, to a place outside the data folder;
	// nil makes no copies. PostgreSQL runs it in its data directory, with the variables in ArchiveEnvironment, until it exits with 0, and
	// keeps the file until then.
	Archive            []string
	ArchiveEnvironment []string

	recovery *Recovery // replays an archive before the server is ready
	programs string    // folder in which PostgreSQL is unpacked; empty: Dir
}

// Server is a running PostgreSQL. It is safe for concurrent use.
type Server struct {
	logger   *slog.Logger
	account  account
	bin      string // folder of the postgres binary
	cluster  string // PostgreSQL's data_directory
	socket   string // folder of the unix socket
	tempDir  bool   // socket lies outside the data folder and is removed at the end
	settings map[string]string
	output   *boundedLog
	lock     *os.File

	environment []string // variables of PostgreSQL beside its own, for what it runs
	program     *os.File // this program's file, which PostgreSQL runs to archive or restore its log

	bootAttempts int // tries of the first boot

	mu       sync.Mutex
	process  *os.Process
	stopping chan struct{}
	done     chan struct{}
}

// Start boots the server of the data folder and returns when DSN(Database) answers: after about a second the first time, later after well
// under a tenth of a second. ctx bounds the boot only. Errors wrap ErrLocked (within milliseconds), ErrUnreachable or ErrNone, or say what
// PostgreSQL said.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := newServer(o)
	if err := s.start(ctx, o.Dir, o); err != nil {
		return nil, fmt.Errorf("database in %s: %w", o.Dir, err)
	}
	return s, nil
}

func newServer(o Options) *Server {
	s := &Server{
		logger: o.Logger, settings: o.Settings, bootAttempts: bootAttempts,
		stopping: make(chan struct{}), done: make(chan struct{}),
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	return s
}

func (s *Server) start(ctx context.Context, dir string, o Options) error {
	var err error
	if s.account, err = serverAccount(); err != nil {
		return err
	}
	if o.Existing {
		if err := requireCluster(dir, s.account); err != nil {
			return err
		}
	}
	if dir, err = prepareFolder(dir, s.account); err != nil {
		return err
	}
	if s.lock, err = lockFolder(dir); err != nil {
		return err
	}
	if err := s.prepare(ctx, dir, o); err != nil {
		return errors.Join(err, s.release())
	}
	booted := make(chan error, 1)
	go s.supervise(booted)
	select {
	case err = <-booted:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		err = s.provision(ctx)
	}
	if err != nil {
		return errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return nil
}

// prepare makes everything that postgres needs to start.
func (s *Server) prepare(ctx context.Context, dir string, o Options) error {
	s.cluster = filepath.Join(dir, clusterFolder)
	if err := evict(ctx, s.cluster); err != nil {
		return err
	}
	if err := removeLeftovers(ctx, dir); err != nil {
		return err
	}
	programs := cmp.Or(o.programs, dir)
	var err error
	s.bin, err = unpackedProgram(dist, programs, func(home string) error { return unpackAside(ctx, programs, home) })
	if err != nil {
		return err
	}
	if err := s.prepareCluster(ctx, dir); err != nil {
		return err
	}
	if err := s.prepareSocket(dir); err != nil {
		return err
	}
	if err := s.setLog(o); err != nil {
		return err
	}
	s.settings = settings(s.settings)
	s.output, err = openBoundedLog(filepath.Join(dir, "postgres.log"), logLimit)
	return err
}

// Done returns a channel that is closed when the server has ended for good. Only Stop ends it: a postgres that dies is started again.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the server: it cuts sessions, rolls back their open transactions and writes everything to disk. If ctx ends first, Stop ends
// PostgreSQL at once and returns ctx's error; nothing committed is lost, because the next boot replays the log. Calling Stop again is
// harmless.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	select {
	case <-s.stopping:
	default:
		close(s.stopping)
	}
	s.mu.Unlock()
	s.signal(syscall.SIGINT)
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	s.signal(syscall.SIGQUIT)
	select {
	case <-s.done:
	case <-time.After(stopGrace):
		s.signal(syscall.SIGKILL)
		<-s.done
	}
	return fmt.Errorf("PostgreSQL was ended before it had stopped cleanly: %w", ctx.Err())
}

// release gives up the data folder.
func (s *Server) release() error {
	var err error
	if s.tempDir {
		err = os.RemoveAll(s.socket)
	}
	if s.output != nil {
		err = errors.Join(err, s.output.Close())
	}
	if s.program != nil {
		err = errors.Join(err, s.program.Close())
	}
	return errors.Join(err, unlockFolder(s.lock))
}
