package certificate

import (
	"context"
	"errors"
	"fmt"
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
	"forecourt/internal/kit/secret"
)

const (
	// lease is how long a lock lasts at first. certmagic extends it before each try, by hours if the next one is far away.
	lease = 2 * time.Minute
	// longestLease is how long a lock outlives a process that was killed.
	longestLease = 10 * time.Minute
	// lockEvery is how often a process tries to take a lock that another one holds.
	lockEvery = time.Second
)

// store keeps certmagic's files in the database, sealed, so that every process of the site serves the same certificates and answers the
// authority's challenges.
type store struct {
	queries *db.Queries
	box     *secret.Box

	mu   sync.Mutex
	held map[string]uuid.UUID // by the name of a lock of this process
}

var (
	_ certmagic.Storage          = (*store)(nil)
	_ certmagic.LockLeaseRenewer = (*store)(nil)
)

func newStore(pool *pgxpool.Pool, box *secret.Box) *store {
	return &store{queries: db.New(pool), box: box, held: map[string]uuid.UUID{}}
}

// place returns what a file is sealed for.
func place(key string) string { return "certificate " + key }

// Store implements certmagic.Storage.
func (s *store) Store(ctx context.Context, key string, value []byte) error {
	return s.queries.CertificateFilePut(ctx, key, s.box.Seal(value, place(key)))
}

// Load implements certmagic.Storage. It treats a file that does not open as missing: after a change of the program's secret the site gets
// another account and another certificate.
func (s *store) Load(ctx context.Context, key string) ([]byte, error) {
	row, err := s.queries.CertificateFileGet(ctx, key)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	value, err := s.box.Open(row.Sealed, place(key))
	if err != nil {
		return nil, fs.ErrNotExist
	}
	return value, nil
}

func (s *store) Delete(ctx context.Context, key string) error {
	return s.queries.CertificateFileDrop(ctx, key)
}

func (s *store) Exists(ctx context.Context, key string) bool {
	_, err := s.Load(ctx, key)
	return err == nil
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

// Stat implements certmagic.Storage, for files.
func (s *store) Stat(ctx context.Context, key string) (certmagic.KeyInfo, error) {
	value, err := s.Load(ctx, key)
	return certmagic.KeyInfo{Key: key, Size: int64(len(value)), IsTerminal: true}, err
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
			s.mu.Lock()
			defer s.mu.Unlock()
			s.held[name] = holder
			return nil
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *store) RenewLockLease(ctx context.Context, name string, longer time.Duration) error {
	s.mu.Lock()
	holder := s.held[name]
	s.mu.Unlock()
	taken, err := s.queries.CertificateLock(ctx, name, holder, min(longer, longestLease).Seconds())
	if err == nil && taken == 0 {
		err = fmt.Errorf("another process holds the lock %s", name)
	}
	return err
}

func (s *store) Unlock(ctx context.Context, name string) error {
	s.mu.Lock()
	holder := s.held[name]
	delete(s.held, name)
	s.mu.Unlock()
	return s.queries.CertificateUnlock(context.WithoutCancel(ctx), name, holder)
}
