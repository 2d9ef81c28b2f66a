package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	role           = "forecourt" // owner of everything in the cluster
	noSuchDatabase = "3D000"     // PostgreSQL's error code
)

// prepareCluster makes the cluster unless it exists, and makes sure that the account can work with it.
func (s *Server) prepareCluster(ctx context.Context, dir string) error {
	err := s.account.own(s.cluster)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.MkdirTemp(dir, initPrefix)
	if err != nil {
		return err
	}
	if s.account.dropped {
		err = s.account.give(tmp)
	}
	if err == nil {
		err = s.initdb(ctx, tmp)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return publish(tmp, s.cluster)
}

func (s *Server) initdb(ctx context.Context, dir string) error {
	cmd := s.command(ctx, "initdb",
		"--pgdata="+dir, "--username="+role, "--encoding=UTF8", "--locale=C", "--data-checksums",
		"--auth-local=trust", "--auth-host=scram-sha-256", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
		"--no-sync") // publish syncs everything at once
	cmd.Dir = dir
	cmd.WaitDelay = outputWait
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	// Pdeathsig watches the thread, not the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded; on a busy machine one of its children is slow to close the output
	}
	if errors.Is(err, fs.ErrPermission) && s.account.dropped {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// provision makes the database on the first boot.
func (s *Server) provision(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.DSN(Database))
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == noSuchDatabase {
		if conn, err = pgx.Connect(ctx, s.DSN("postgres")); err == nil {
			_, err = conn.Exec(ctx, "CREATE DATABASE "+Database)
		}
	}
	if conn != nil {
		err = errors.Join(err, conn.Close(ctx))
	}
	return err
}
