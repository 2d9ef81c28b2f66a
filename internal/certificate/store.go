package certificate

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/secret"
)

const (
	// lease is how long a lock outlives a process that was killed.
	lease = time.Minute
	// leaseEvery is how often a process renews a lock that it holds.
	leaseEvery = lease / 4
	// lockEvery is how often a process tries to take a lock that another one holds.
	lockEvery = time.Second
)

// store keeps certmagic's files in the database, sealed, so that every process of the site serves the same certificates and answers the
// authority's challenges.
type store struct {
	queries *db.Queries
	box     *secret.Box

	mu   sync.Mutex
	held map[string]heldLock
}

// heldLock is a lock that this process holds.
type heldLock struct {
	holder uuid.UUID
	stop   context.CancelFunc // ends its renewal
}

var _ certmagic.Storage = (*store)(nil)

func newStore(pool *pgxpool.Pool, box *secret.Box) *store {
	return &store{queries: db.New(pool), box: box, held: map[string]heldLock{}}
}

// place returns what a file is sealed for.
func place(key string) string { return "certificate " + key }

// Store implements certmagic.Storage.
func (s *store) Store(ctx context.Context, key string, value []byte) error {
	return s.queries.CertificateFilePut(ctx, key, s.box.Seal(value, place(key)))
}

// Load implements certmagic.Storage.
func (s *store) Load(ctx context.Context, key string) ([]byte, error) {
	value, _, err := s.load(ctx, key)
	return value, err
}

// load treats a file that does not open as missing: after a change of the program's secret the site gets another account and another
// certificate.
func (s *store) load(ctx context.Context, key string) ([]byte, time.Time, error) {
	row, err := s.queries.CertificateFileGet(ctx, key)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, time.Time{}, fs.ErrNotExist
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	value, err := s.box.Open(row.Sealed, place(key))
	if err != nil {
		return nil, time.Time{}, fs.ErrNotExist
	}
	return value, row.ChangedAt, nil
}

// Delete implements certmagic.Storage.
func (s *store) Delete(ctx context.Context, key string) error {
	return s.queries.CertificateFileDrop(ctx, key)
}

// Exists implements certmagic.Storage.
func (s *store) Exists(ctx context.Context, key string) bool {
	if _, err := s.Load(ctx, key); err == nil {
		return true
	}
	below, err := s.below(ctx, key)
	return err == nil && len(below) > 0
}

// below returns the sorted keys of a folder's files that open.
func (s *store) below(ctx context.Context, folder string) ([]string, error) {
	rows, err := s.queries.CertificateFileList(ctx, folder)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, row := range rows {
		if _, err := s.box.Open(row.Sealed, place(row.Key)); err == nil {
			keys = append(keys, row.Key)
		}
	}
	return keys, nil
}

// List implements certmagic.Storage.
func (s *store) List(ctx context.Context, folder string, recursive bool) ([]string, error) {
	folder = strings.Trim(folder, "/")
	keys, err := s.below(ctx, folder)
	if err != nil || recursive {
		return keys, err
	}
	var children []string
	for _, key := range keys {
		name, _, _ := strings.Cut(strings.TrimPrefix(key, folder+"/"), "/")
		if child := path.Join(folder, name); len(children) == 0 || children[len(children)-1] != child { // keys are sorted
			children = append(children, child)
		}
	}
	return children, nil
}

// Stat implements certmagic.Storage.
func (s *store) Stat(ctx context.Context, key string) (certmagic.KeyInfo, error) {
	value, changed, err := s.load(ctx, key)
	if errors.Is(err, fs.ErrNotExist) && s.Exists(ctx, key) {
		return certmagic.KeyInfo{Key: key}, nil // a folder
	}
	return certmagic.KeyInfo{Key: key, Modified: changed, Size: int64(len(value)), IsTerminal: true}, err
}

// Lock implements certmagic.Locker. The lock is a row with an end rather than a lock of PostgreSQL's, which a pooler would lend to others.
func (s *store) Lock(ctx context.Context, name string) error {
	holder := uuid.New()
	for {
		taken, err := s.queries.CertificateLock(ctx, name, holder, lease.Seconds())
		if err != nil {
			return err
		}
		if taken > 0 {
			break
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	go s.keep(renewing, name, holder)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name] = heldLock{holder, stop}
	return nil
}

// keep renews a lock until ctx ends.
func (s *store) keep(ctx context.Context, name string, holder uuid.UUID) {
	tick := time.NewTicker(leaseEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			// After a failure the next tick tries again; the lease outlasts three.
			_, _ = s.queries.CertificateLock(ctx, name, holder, lease.Seconds())
		case <-ctx.Done():
			return
		}
	}
}

// Unlock implements certmagic.Locker.
func (s *store) Unlock(ctx context.Context, name string) error {
	s.mu.Lock()
	lock, ok := s.held[name]
	delete(s.held, name)
	s.mu.Unlock()
	if !ok {
		return nil
	}
	lock.stop()
	return s.queries.CertificateUnlock(context.WithoutCancel(ctx), name, lock.holder)
}
