// Package account manages the people who sign in: merchants and staff.
package account

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/mail"
	"forecourt/internal/mailaddr"
	"forecourt/internal/secret"
	"forecourt/internal/throttle"
)

// Limits on guessing; only failures count. 0 takes the default.
type Limits struct {
	SignInAccount int // failed sign-ins of one account in 15 minutes; 5
	SignInAddress int // failed sign-ins and sign-ups from one address in an hour; 20
}

// Accounts signs people up and in.
type Accounts struct {
	pool       *pgxpool.Pool
	queries    *db.Queries
	hasher     *secret.Hasher
	throttle   *throttle.Throttle
	mail       *mail.Queue
	perAccount throttle.Limit
	perAddress throttle.Limit
	rule       Verification
}

// Config holds what New needs.
type Config struct {
	Pool   *pgxpool.Pool // of a migrated database
	Hasher *secret.Hasher
	Mail   *mail.Queue
	Key    []byte // hashes the keys under which failed tries are counted
	Limits Limits
	// Verification says what needs a verified address.
	Verification Verification
}

// How many sign-ins may fail, where Limits has 0, and within what time.
const (
	signInAccountLimit, signInAccountWindow = 5, 15 * time.Minute
	signInAddressLimit, signInAddressWindow = 20, time.Hour
)

// New returns the accounts stored in a database.
func New(c Config) *Accounts {
	queries := db.New(c.Pool)
	return &Accounts{
		pool: c.Pool, queries: queries, hasher: c.Hasher, throttle: throttle.New(queries, c.Key), mail: c.Mail,
		perAccount: throttle.Limit{Subject: "sign-in account", Most: cmp.Or(c.Limits.SignInAccount, signInAccountLimit), Window: signInAccountWindow},
		perAddress: throttle.Limit{Subject: "sign-in address", Most: cmp.Or(c.Limits.SignInAddress, signInAddressLimit), Window: signInAddressWindow},
		rule:       c.Verification,
	}
}

// User is a person with an account.
type User struct {
	ID    uuid.UUID
	Email string
	Name  string // may be empty
	Staff bool
}

// Credentials are what a person types to sign in.
type Credentials struct {
	Email    string
	Password secret.Text
	From     netip.Addr // where the request came from
}

// ErrCredentials means a wrong password or an unknown email; it does not say which.
var ErrCredentials = fault.New(fault.Invalid, "wrong email or password")

// SignIn finds a person's account (AUTH-02). The error is ErrCredentials, *throttle.Error after too many failures, or fault.TooMany
// while too many passwords are being checked. An unknown email takes as long as a wrong password.
func (a *Accounts) SignIn(ctx context.Context, c Credentials) (User, error) {
	email := mailaddr.Normal(c.Email)
	ctx, leave, err := a.hasher.Enter(ctx)
	if err != nil {
		return User{}, err
	}
	defer leave()
	if err := a.take(ctx, email, c.From); err != nil {
		return User{}, err
	}
	row, err := a.find(ctx, email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return User{}, errors.Join(err, a.giveBack(ctx, email, c.From))
	}
	match, err := a.hasher.Verify(ctx, row.PasswordHash, c.Password)
	if err != nil && fault.CodeOf(err) != fault.Invalid {
		return User{}, errors.Join(err, a.giveBack(ctx, email, c.From))
	}
	if !match {
		return User{}, ErrCredentials
	}
	return User{ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff},
		errors.Join(a.throttle.Forget(ctx, a.perAccount, email), a.throttle.Succeed(ctx, a.perAddress, throttle.Network(c.From).String()))
}

// find looks an account up. It returns pgx.ErrNoRows if there is none. Only valid addresses are looked up: the database cannot hold
// every text.
func (a *Accounts) find(ctx context.Context, email string) (db.Account, error) {
	if !mailaddr.Valid(email) {
		return db.Account{}, pgx.ErrNoRows
	}
	return a.queries.AccountByEmail(ctx, email)
}

// take counts a try by account and by address before it is made.
func (a *Accounts) take(ctx context.Context, email string, from netip.Addr) error {
	if err := a.throttle.Take(ctx, a.perAddress, throttle.Network(from).String()); err != nil {
		return err
	}
	return a.throttle.Take(ctx, a.perAccount, email)
}

// giveBack takes back a try that was not made after all, perhaps because the caller has left.
func (a *Accounts) giveBack(ctx context.Context, email string, from netip.Addr) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(a.throttle.Succeed(ctx, a.perAccount, email), a.throttle.Succeed(ctx, a.perAddress, throttle.Network(from).String()))
}
