// Package account manages the people who sign in: merchants and staff.
package account

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// Accounts signs people up and in.
type Accounts struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	hasher   *secret.Hasher
	throttle *throttle.Throttle
	mail     *mail.Queue
	limits   limits
	keys     secret.Key
	box      *secret.Box // of one-time codes
	forms    *secret.Box // of forms that wait
	issuer   string
	rule     Verification
	party    *webauthn.WebAuthn // the site as passkeys know it; nil without passkeys
}

// Config holds what New needs.
type Config struct {
	Pool   *pgxpool.Pool // of a migrated database
	Hasher *secret.Hasher
	Mail   *mail.Queue
	Keys   secret.Key // hashes the keys under which failed tries are counted, and marks known browsers
	Limits Limits
	Box    *secret.Box // seals the keys of one-time codes
	Forms  *secret.Box // seals forms that wait; see Keep
	Issuer string      // the site's name in apps for codes and passkeys
	// Public is the address of the site; passkeys belong to its host. Origins are all the addresses under which people reach it. Without
	// Public there are no passkeys.
	Public  *url.URL
	Origins []string
	// Verification says what needs a verified address.
	Verification Verification
}

// New returns the accounts stored in a database.
func New(c Config) (*Accounts, error) {
	party, err := relyingParty(c.Public, c.Origins, c.Issuer)
	if err != nil {
		return nil, err
	}
	queries := db.New(c.Pool)
	return &Accounts{
		pool: c.Pool, queries: queries, hasher: c.Hasher, throttle: throttle.New(queries, c.Keys), mail: c.Mail,
		limits: newLimits(c.Limits), keys: c.Keys,
		box: c.Box, forms: c.Forms, issuer: c.Issuer, rule: c.Verification, party: party,
	}, nil
}

// User is a person with an account.
type User struct {
	ID    uuid.UUID
	Email string
	Name  string // may be empty
	Staff bool
	// TwoStep means that the password is not enough: Halfway, then SecondStep or a passkey.
	TwoStep bool
	// New means that the account was just made.
	New bool
}

// Credentials are what a person types to sign in.
type Credentials struct {
	Email    string
	Password secret.Text
	From     netip.Addr // where the request came from
	Device   string     // the browser's cookie that Remember made, "" for none
}

// ErrCredentials means a wrong password or an unknown email; it does not say which.
var ErrCredentials = fault.New(fault.Invalid, "wrong email or password")

// SignIn checks a person's password (AUTH-02). The error is ErrCredentials, *throttle.Error after too many failures, or fault.TooMany
// while too many passwords are being checked. An unknown email takes as long as a wrong password.
func (a *Accounts) SignIn(ctx context.Context, c Credentials) (User, error) {
	email := mailaddr.Normal(c.Email)
	ctx, leave, err := a.enter(ctx, c.From)
	if err != nil {
		return User{}, err
	}
	defer leave()
	counts := a.guess(a.limits.guesses, a.known(c.Device, email, ""), email, c)
	if err := a.throttle.TakeAll(ctx, counts); err != nil {
		return User{}, err
	}
	row, err := a.find(ctx, email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return User{}, errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), counts))
	}
	match, err := a.hasher.Verify(ctx, row.PasswordHash, c.Password)
	if err != nil && fault.CodeOf(err) != fault.Invalid {
		return User{}, errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), counts))
	}
	if !match {
		return User{}, ErrCredentials
	}
	twoStep, err := a.queries.SecondStepOn(ctx, row.ID)
	return User{ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff, TwoStep: twoStep},
		errors.Join(err, a.throttle.Forget(ctx, counts[0].Limit, counts[0].What), a.throttle.GiveBack(ctx, counts[1:]))
}

// enter takes a place in the queue for a password that came from an address.
func (a *Accounts) enter(ctx context.Context, from netip.Addr) (_ context.Context, leave func(), err error) {
	return a.hasher.Enter(ctx, throttle.Network(from))
}

// find looks up an account. It returns pgx.ErrNoRows if there is none, also for a text that the database cannot hold. Only sign-ups check
// that the text is a valid address, so that an account keeps working when that rule gets stricter.
func (a *Accounts) find(ctx context.Context, email string) (db.Account, error) {
	if !printable.Line(email, mailaddr.MostBytes) {
		return db.Account{}, pgx.ErrNoRows
	}
	return a.queries.AccountByEmail(ctx, email)
}

// MaxName is the longest name of a person, in characters.
const MaxName = 100

// ErrName means that a name is too long, not printable or a card number.
var ErrName = fault.New(fault.Invalid, "a name has at most %d printable characters and holds no card number", MaxName)

// SetName changes a person's name; an empty name removes it. The error is ErrName.
func (a *Accounts) SetName(ctx context.Context, account uuid.UUID, name string) error {
	name, ok := cleanName(name)
	if !ok {
		return ErrName
	}
	_, err := a.queries.AccountSetName(ctx, name, account)
	return err
}

// cleanName returns a name as it is stored: without surrounding spaces.
func cleanName(name string) (string, bool) {
	name = strings.TrimSpace(name)
	return name, printable.Line(name, MaxName) && !card.HoldsNumber(name)
}

// Kind is a kind of character that a password needs.
type Kind string

// These are the kinds, in the order in which they are asked for (AUTH-11).
const (
	Uppercase Kind = "Uppercase"
	Lowercase Kind = "Lowercase"
	Number    Kind = "Number"
	Special   Kind = "Special" // neither letter nor digit
)

// MinPassword is the least number of characters of a password (AUTH-12).
const MinPassword = 8

// PasswordCheck says what is wrong with a new password; the zero value means nothing. Only the first problem is reported, in the
// order of the fields (AUTH-14).
type PasswordCheck struct {
	Missing  []Kind
	TooLong  bool // longer than we hash
	TooShort bool
	Differs  bool // from its confirmation
	Same     bool // it is the present password
}

// OK reports whether the password may be used.
func (c PasswordCheck) OK() bool {
	return len(c.Missing) == 0 && !c.TooLong && !c.TooShort && !c.Differs && !c.Same
}

// CheckPassword checks a new password against the rules for all accounts.
func CheckPassword(password, confirm secret.Text) PasswordCheck {
	text := password.Reveal()
	var has [4]bool
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			has[0] = true
		case unicode.IsLower(r):
			has[1] = true
		case unicode.IsDigit(r):
			has[2] = true
		case !unicode.IsLetter(r):
			has[3] = true
		}
	}
	var c PasswordCheck
	for i, kind := range []Kind{Uppercase, Lowercase, Number, Special} {
		if !has[i] {
			c.Missing = append(c.Missing, kind)
		}
	}
	switch {
	case len(c.Missing) > 0:
	case utf8.RuneCountInString(text) < MinPassword:
		c.TooShort = true
	case len(text) > maxPassword:
		c.TooLong = true
	case text != confirm.Reveal():
		c.Differs = true
	}
	return c
}
