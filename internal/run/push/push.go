// Package push tells a customer's browser that an order is ready, with the Web Push protocol. A browser registers the address at
// which its push service listens and gets a token; the token's key is attached to an order; when a location is done with that order, a
// job sends a message to that address.
package push

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/outbound"
	"forecourt/internal/run/throttle"
	"forecourt/internal/run/tracing"
)

// callTimeout limits one call to a push service or to the sync address. They usually answer within half a second.
const callTimeout = 5 * time.Second

// Messages and syncs have a queue of their own, since browsers name the servers that are called: others must not wait for those.
const (
	Queue   = "push"
	Workers = 16
	// atOnce is how many workers a service that is not a browser's own may hold up.
	atOnce = 2
)

// Project is the project that browsers register with for push messages (PUSH-01).
type Project struct {
	ID string `name:"project_id" unset:"the demo's own"`
	// APIKey is what the sync address knows this program by.
	APIKey   secret.Text `name:"api_key" unset:"the demo's own" help:"the project's key"`
	AppID    string      `name:"app_id" unset:"the demo's own" help:"the project's app"`
	SenderID string      `name:"sender_id" unset:"the demo's own" help:"the project's sender"`
}

// IsZero reports whether nothing of a project is set.
func (p Project) IsZero() bool { return p.ID+p.AppID+p.SenderID+p.APIKey.Reveal() == "" }

// Config is what New needs. The tags are those of the values in PUSH_FILE.
type Config struct {
	Project Project `embed:""`
	Keys    Keys    `embed:""`
	Contact string  `kong:"-"` // an https address or a mail address for the operators of push services
	// Allow lists host:port pairs that may be called although they are not https on a public address.
	Allow []string `kong:"-"`
	// SyncURL is the address that hears who signs in and out; "" for none.
	SyncURL string `name:"sync_url" type:"web" unset:"none"`
	// Limit is how many browsers of one address may register in an hour, 120 when zero.
	Limit int `kong:"-"`
	// HashKey hashes the addresses that are counted.
	HashKey secret.Key `kong:"-"`
}

// SetupError names the missing settings of a project.
type SetupError struct{ Missing []string }

func (e *SetupError) Error() string { return "push needs " + strings.Join(e.Missing, ", ") }

// Push registers browsers and queues messages to them.
type Push struct {
	cfg       Config
	queries   *db.Queries
	queue     *river.Client[pgx.Tx]
	throttle  *throttle.Throttle
	client    *http.Client // reaches public https addresses
	sync      *http.Client // reaches the sync address
	strangers *throttle.Places
	log       *slog.Logger
}

// New returns a Push, or a *SetupError if the project is incomplete (PUSH-01).
func New(pool *pgxpool.Pool, cfg Config, log *slog.Logger) (*Push, error) {
	if missing := cfg.Project.missing(); len(missing) > 0 {
		return nil, &SetupError{missing}
	}
	if cfg.Limit == 0 {
		cfg.Limit = 120
	}
	queries := db.New(pool)
	return &Push{
		cfg: cfg, queries: queries, queue: tracing.NewQueue(pool), throttle: throttle.New(queries, cfg.HashKey), log: log,
		strangers: throttle.NewPlaces(Workers/2, atOnce, 0),
		client:    outbound.New(cfg.Allow, callTimeout), sync: outbound.New([]string{hostPort(cfg.SyncURL)}, callTimeout),
	}, nil
}

func (p Project) missing() []string {
	var missing []string
	for _, part := range []struct{ name, value string }{
		{"projectId", p.ID}, {"apiKey", p.APIKey.Reveal()}, {"appId", p.AppID}, {"messagingSenderId", p.SenderID},
	} {
		if part.value == "" {
			missing = append(missing, part.name)
		}
	}
	return missing
}

// ProjectID returns the id of the project that browsers register with.
func (p *Push) ProjectID() string { return p.cfg.Project.ID }

// PublicKey returns the key that browsers subscribe with.
func (p *Push) PublicKey() string { return p.cfg.Keys.Public }

// Register stores a browser's subscription and returns its token. Errors: *throttle.Error if too many came from the network of from,
// *InvalidError if the subscription is unusable.
func (p *Push) Register(ctx context.Context, from netip.Addr, s Subscription) (token string, err error) {
	if err := p.check(s); err != nil {
		return "", err
	}
	limit := throttle.Limit{Subject: "push registration", Most: p.cfg.Limit, Window: time.Hour}
	if err := p.throttle.Take(ctx, limit, throttle.Network(from).String()); err != nil {
		return "", err
	}
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	return token, p.queries.PushRegistrationAdd(ctx, db.PushRegistrationAddParams{
		Key: KeyOf(token), Endpoint: s.Endpoint, Auth: s.Auth, P256dh: s.P256dh,
	})
}

// Update refreshes the registration of a token; fault.NotFound if the token is unknown.
func (p *Push) Update(ctx context.Context, token string, s Subscription) error {
	if err := p.check(s); err != nil {
		return err
	}
	rows, err := p.queries.PushRegistrationUpdate(ctx, db.PushRegistrationUpdateParams{
		Key: KeyOf(token), Endpoint: s.Endpoint, Auth: s.Auth, P256dh: s.P256dh,
	})
	return found(rows, err)
}

// Remove deletes the registration of a token; fault.NotFound if the token is unknown.
func (p *Push) Remove(ctx context.Context, token string) error {
	return found(p.queries.PushRegistrationRemove(ctx, KeyOf(token)))
}

// Attach makes the browser with a token, instead of any other, get a message when a paid order is ready. Errors: fault.NotFound if there is
// no such token or no such paid order.
func (p *Push) Attach(ctx context.Context, shop, trx, token string) error {
	return found(p.queries.TransactionSetPush(ctx, KeyOf(token), trx, shop))
}

func found(rows int64, err error) error {
	if err == nil && rows == 0 {
		return fault.New(fault.NotFound, "no such push registration")
	}
	return err
}

// KeyOf returns the key under which a token is stored, "" for no token.
func KeyOf(token string) string {
	if token == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
