package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"forecourt/db/embedded"
	"forecourt/internal/archive"
)

// claimWithin is how long a start waits for the archive. Starting without the archive is better than not starting.
const claimWithin = 10 * time.Second

// answerWithin is how long a restore waits for the archive's first answer.
const answerWithin = time.Minute

func (c *config) checkArchive() error {
	switch {
	case c.Archive == nil:
		return nil
	case c.DatabaseURL != "":
		return &settingError{"FORECOURT_ARCHIVE", "it archives the built-in database only; archive one at DATABASE_URL with pgBackRest, see docs/operations.md"}
	case len(c.ArchiveKey.Reveal()) < 32:
		return &settingError{"FORECOURT_ARCHIVE_KEY", "it needs 32 bytes or more, such as openssl rand -hex 32 prints"}
	case c.Archive.Bucket() && c.S3ID == "":
		return &settingError{"AWS_ACCESS_KEY_ID", "it is required for a bucket"}
	case c.Archive.Bucket() && c.S3Secret.IsZero():
		return &settingError{"AWS_SECRET_ACCESS_KEY", "it is required for a bucket"}
	}
	if c.Archive.Bucket() && c.S3Roots != "" {
		text, err := os.ReadFile(c.S3Roots)
		if err != nil {
			return &settingError{"AWS_CA_BUNDLE", err.Error()}
		}
		c.bucketRoots = x509.NewCertPool()
		if !c.bucketRoots.AppendCertsFromPEM(text) {
			return &settingError{"AWS_CA_BUNDLE", "it holds no certificate"}
		}
	}
	if err := c.Archive.CheckOutside(or(c.Data, "data")); err != nil {
		return &settingError{"FORECOURT_ARCHIVE", err.Error()}
	}
	return nil
}

// openArchive opens the archive that the settings name. spool is a folder for its temporary files.
func (c config) openArchive(spool string) *archive.Archive {
	return archive.Open(c.Archive, archive.Access{ID: c.S3ID, Secret: c.S3Secret, Region: c.S3Region, Roots: c.bucketRoots}, c.ArchiveKey, spool)
}

// archiveTo returns the function that archives a file of PostgreSQL's log, or nil if there is no archive.
func (d *database) archiveTo(c config) func(ctx context.Context, name, file string) error {
	if c.Archive == nil || c.unarchived {
		return nil
	}
	d.keeper = archive.NewKeeper(archive.Config{
		Archive: c.openArchive(d.folder), Data: d.folder, Files: keptFiles(), Every: c.ArchiveEvery, Copies: c.ArchiveCopies, Log: d.log,
	})
	return d.keeper.Keep
}

// claimArchive refuses the archive of another database, or one with another key. If the archive does not answer, claimArchive only logs that.
func (d *database) claimArchive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, claimWithin)
	defer cancel()
	_, err := within(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, d.keeper.Claim(ctx) })
	switch {
	case errors.Is(err, archive.ErrOther), errors.Is(err, archive.ErrDamaged):
		return &settingError{"FORECOURT_ARCHIVE", err.Error()}
	case err != nil:
		d.log.ErrorContext(ctx, "the archive does not answer", "error", err)
	}
	return nil
}

// within returns what do returns, or the cause of ctx's end if ctx ends first: the disk of another machine may not answer, and nothing interrupts a
// system call.
func within[T any](ctx context.Context, do func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do(ctx)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// copyToArchive keeps adding copies of the whole database to the archive until stop is called.
func (s *server) copyToArchive(ctx context.Context) (stop func()) {
	if s.keeper == nil {
		return func() {}
	}
	s.metrics.Archive(s.keeper.Figures)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.keeper.Run(ctx, s.server.DSN(embedded.Database)) })
	return func() {
		cancel()
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		_, _ = within(stopping, func(context.Context) (struct{}, error) {
			running.Wait()
			return struct{}{}, nil
		})
	}
}

// restoreArchive fills the data folder from the archive, up to a time if one is given.
func (env environment) restoreArchive(ctx context.Context, c config, until string) error {
	var to time.Time
	if until != "" {
		var err error
		if to, err = time.Parse(time.RFC3339, until); err != nil {
			return env.wrong("--to takes a time like 2025-01-31T09:30:00Z")
		}
	}
	defer endAtSecondSignal(ctx)()
	var r recovered
	err := env.putData(&c, func(folder string) (err error) {
		r, err = recoverArchive(ctx, c, folder, to)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s into %s: %w", c.Archive, c.Data, err)
	}
	for _, wrong := range r.unfit {
		fmt.Fprintf(env.stderr, "forecourt: used an older copy, because %v\n", wrong)
	}
	if n := len(r.beyond); n > 0 { // anybody who can add files may have added them, or they are damaged and follow a gap
		fmt.Fprintf(env.stderr, "forecourt: the log ends before files of it that cannot be used (%d), the newest because %v\n", n, r.beyond[0])
	}
	if _, err := fmt.Fprintf(env.stdout, "The last restored change was made at %s.\n", r.reached.UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	c.unarchived = true
	return env.closePayments(ctx, c, nil)
}

// endAtSecondSignal lets a second signal kill the program, until stop is called: a disk that hangs can
// keep the first from ending it.
func endAtSecondSignal(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })
}

// recovered is what was restored from an archive.
type recovered struct {
	reached time.Time // when the last change was made
	unfit   []error   // why newer copies of the database were passed over
	beyond  []error   // why files after the end of the log were passed over, the newest first
}

// recoverArchive restores to a time, or to the end of the archive if the time is zero or later than its end. If a copy of the database is damaged, it takes
// an older one: the log that follows leads to the same end.
func recoverArchive(ctx context.Context, c config, folder string, to time.Time) (r recovered, err error) {
	a := c.openArchive(os.TempDir())
	looking, cancel := context.WithTimeoutCause(ctx, answerWithin, archive.ErrSilent)
	defer cancel()
	bases, err := within(looking, func(ctx context.Context) ([]archive.Base, error) {
		bases, err := a.Choose(ctx, to)
		if err != nil {
			return nil, err
		}
		return bases, a.Trust(ctx)
	})
	if err != nil {
		return r, err
	}
	base, file, unfit, err := a.FetchNewest(ctx, bases)
	if err != nil {
		return r, err
	}
	r.unfit = unfit
	log, err := a.Replay(ctx, base)
	if err == nil {
		r.beyond = log.Unfit
		r.reached, err = replay(ctx, log, file, folder, to)
	}
	return r, errors.Join(err, file.Close())
}

// replay unpacks a copy of the database from file, and replays the log that follows.
func replay(ctx context.Context, log *archive.Replay, file io.ReadSeeker, folder string, to time.Time) (reached time.Time, err error) {
	r := embedded.Recovery{To: to, Fetch: func(ctx context.Context, name string, w io.Writer) error {
		return fetched(log.Fetch(ctx, name, w))
	}}
	reached, err = embedded.Recover(ctx, folder, keptFiles(), file, r)
	if !errors.Is(err, embedded.ErrShort) {
		return reached, err
	}
	r.To = time.Time{}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return reached, err
	}
	return embedded.Recover(ctx, folder, keptFiles(), file, r)
}

// recoverBackup restores a backup. The restored database begins a timeline that the archive does not know: on the old one its files would have
// the names of others there, even if only a later command names the archive.
func recoverBackup(ctx context.Context, c config, folder string, file io.ReadSeeker) error {
	history := func(context.Context, string, io.Writer) error { return embedded.ErrNotArchived }
	if c.Archive != nil {
		a := c.openArchive(os.TempDir())
		looking, cancel := context.WithTimeoutCause(ctx, answerWithin, fmt.Errorf("%w; to restore without it, unset FORECOURT_ARCHIVE", archive.ErrSilent))
		defer cancel()
		_, err := within(looking, func(ctx context.Context) (struct{}, error) { return struct{}{}, a.Trust(ctx) })
		if err != nil && !errors.Is(err, archive.ErrMissing) {
			return fmt.Errorf("%s: %w", c.Archive, err)
		}
		history = func(ctx context.Context, name string, w io.Writer) error {
			if !strings.HasSuffix(name, ".history") {
				return embedded.ErrNotArchived // the backup holds all that it needs of the log
			}
			return fetched(a.GetLog(ctx, name, w))
		}
	}
	_, err := embedded.Recover(ctx, folder, keptFiles(), file, embedded.Recovery{Fetch: history})
	return err
}

// fetched returns the error of a file of the log as a recovery expects it.
func fetched(err error) error {
	if errors.Is(err, archive.ErrMissing) {
		return embedded.ErrNotArchived
	}
	return err
}
