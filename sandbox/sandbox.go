// Package sandbox simulates the payments gateway and the customer's bank behind it: outcomes by card number, a durable ledger, 3-D Secure
// pages. It charges every request that it accepts, so that a repeated one shows in the ledger.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"forecourt/internal/site/keys"
)

// ErrLocked is returned by Open when another process has the ledger file open.
var ErrLocked = errors.New("the sandbox's ledger is in use by another process")

// Options configures a sandbox. Path and Key are required.
type Options struct {
	// Path is the ledger file, made when it is not there. Several sandboxes need several files.
	Path string
	// Key is the bearer key of the API.
	Key string
	// PublicURL returns where Challenge is reachable by browsers, without a trailing slash: "https://pay.example/sandbox".
	// It is called for each payment that needs the address; if it is nil, such payments are refused.
	PublicURL func() string
	// Outbound calls the notification addresses that shops give the hosted page; none is called when nil.
	Outbound *http.Client
	// AllowLive lets transactions through that are not in test mode. Without it they are declined.
	AllowLive bool
	// KnownOnly leaves the hosted page to the merchants that Know finds: the secrets of the sandbox's own are public, and with them
	// anybody could choose what the page shows and where it leads.
	KnownOnly bool
	// SlowAnswer is how long card …0341 waits with its answer, LateCharge how long …0358 waits with its charge.
	// Zero means slowAnswer and lateCharge.
	SlowAnswer, LateCharge time.Duration
	// Now and After replace the clock in tests; time.Now and time.After when nil.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Logger gets one line per payment and refund; none when nil.
	Logger *slog.Logger
}

// Sandbox is an open sandbox.
type Sandbox struct {
	Options
	store     *store
	keyDigest [32]byte
	find      func(ctx context.Context, id string) (*keys.Merchant, error) // nil: only the test merchants
	closing   chan struct{}
	close     func()
}

// Open opens the ledger file. It returns ErrLocked within half a second when another process holds it.
func Open(o Options) (*Sandbox, error) {
	if o.Key == "" {
		return nil, errors.New("the sandbox needs a bearer key")
	}
	store, err := openStore(o.Path)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{Options: o, store: store, keyDigest: digest(o.Key)}
	s.Key = ""
	s.SlowAnswer, s.LateCharge = cmp.Or(o.SlowAnswer, slowAnswer), cmp.Or(o.LateCharge, lateCharge)
	if s.PublicURL == nil {
		s.PublicURL = func() string { return "" }
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.After == nil {
		s.After = time.After
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	s.closing = make(chan struct{})
	s.close = sync.OnceFunc(func() { close(s.closing) })
	return s, nil
}

// Close aborts the answers that are still waiting, then closes the ledger. Call it before waiting for the HTTP server
// that serves the handlers to shut down.
func (s *Sandbox) Close() error {
	s.close()
	return s.store.db.Close()
}

func openStore(path string) (*store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: 500 * time.Millisecond, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: %s", ErrLocked, path)
	}
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's ledger: %w", err)
	}
	// This is too short for one payer to notice, and long enough for many to share one write to the disk.
	db.MaxBatchDelay = 2 * time.Millisecond
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the sandbox's ledger: %w", err), db.Close())
	}
	return &store{db}, nil
}
