// Package account manages the people who sign in: merchants and staff.
package account

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// Accounts signs people up and in.
type Accounts struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	hasher   *secret.Hasher
	places   *throttle.Places // in which passwords are hashed
	throttle *throttle.Throttle
	mail     *mail.Queue
	limits   limits
	keys     secret.Key
	box      *secret.Box // of one-time codes
	forms    *secret.Box // of forms that wait
	issuer   string
	rule     Verification
	party    *webauthn.WebAuthn // the site as passkeys know it; nil without passkeys

	// Refused, if not nil, is told of each password, code and passkey that was not accepted, and of each that a limit kept from being
	// checked. account is uuid.Nil if c names none.
	Refused func(ctx context.Context, c Credentials, account uuid.UUID, err error)
}

// Config holds what New needs.
type Config struct {
	Pool   *pgxpool.Pool // of a migrated database
	Hasher *secret.Hasher
	Places *throttle.Places // of PasswordPlaces, for all that use the Hasher
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
		pool: c.Pool, queries: queries, hasher: c.Hasher, places: c.Places, throttle: throttle.New(queries, c.Keys), mail: c.Mail,
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
	session  uuid.UUID  // the account of the session in which they were typed, if any
}

// Signed reports whether they were typed in a session.
func (c Credentials) Signed() bool { return c.session != uuid.Nil }

// ErrCredentials means a wrong password or an unknown email; it does not say which.
var ErrCredentials = fault.New(fault.Invalid, "Incorrect email or password.")

// SignIn checks a person's password (AUTH-02). The error is ErrCredentials, with the id of the account if there is one, *throttle.Error
// after too many failures, or fault.TooMany while too many passwords are being checked. An unknown email takes as long as a wrong
// password.
func (a *Accounts) SignIn(ctx context.Context, c Credentials) (user User, err error) {
	defer func() { a.judged(ctx, c, user.ID, err) }()
	email := typed.Email(c.Email)
	ctx, leave, err := a.places.Enter(ctx, a.who(c)...)
	if err != nil {
		return User{}, err
	}
	defer leave()
	row, err := a.find(ctx, email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return User{}, err
	}
	counts := a.guess(a.limits.guesses, a.known(c.Device, row, false), email, c)
	if err := a.throttle.TakeAll(ctx, counts); err != nil {
		return User{}, err
	}
	match, err := a.verify(ctx, row, c.Password)
	if err != nil && fault.CodeOf(err) != fault.Invalid {
		return User{}, errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), counts))
	}
	if !match {
		return User{ID: row.ID}, errors.Join(ErrCredentials, a.failed(ctx, row.ID, EventWrongPassword, c.From))
	}
	twoStep, err := a.queries.SecondStepOn(ctx, row.ID)
	return User{ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff, TwoStep: twoStep},
		errors.Join(err, a.throttle.Passed(ctx, counts))
}

// verify reports whether a password is that of an account. It hashes one anew that was kept as it was typed, before passwords had one form,
// and notes whether it is short.
func (a *Accounts) verify(ctx context.Context, row db.Account, password secret.Text) (bool, error) {
	text, was := typed.Password(password), row.PasswordHash
	match, err := a.hasher.Verify(ctx, was, text)
	if err == nil && !match && text.Reveal() != password.Reveal() {
		if match, err = a.hasher.Verify(ctx, was, password); match && err == nil {
			row.PasswordHash, err = a.hasher.Hash(ctx, text)
			row.ShortPassword = !short(text) // so that it is stored
		}
	}
	if match && err == nil && short(text) != row.ShortPassword {
		err = a.queries.AccountRehash(ctx, db.AccountRehashParams{
			ID: row.ID, PasswordHash: row.PasswordHash, ShortPassword: short(text), Was: was,
		})
	}
	return match, err
}

// PasswordPlaces returns the places in which passwords are checked and hashed: enough to keep the Hasher busy.
func PasswordPlaces() *throttle.Places { return throttle.NewPlaces(4, 2, 10*time.Second) }

// who returns in which lines somebody waits whose password is checked: that of the network and, with a session or in a known browser, that
// of the account to which it belongs.
func (a *Accounts) who(c Credentials) []throttle.Who {
	lines, account := []throttle.Who{throttle.From(c.From)}, c.session
	if account == uuid.Nil {
		account, _ = a.Browser(c.Device)
	}
	if account != uuid.Nil {
		lines = append(lines, throttle.Known(account.String()))
	}
	return lines
}

// find looks up an account. It returns pgx.ErrNoRows if there is none, also for a text that the database cannot hold. Only sign-ups check
// that the text is a valid address, so that an account keeps working when that rule gets stricter.
func (a *Accounts) find(ctx context.Context, email string) (db.Account, error) {
	if !printable.Line(email, typed.MostEmail) {
		return db.Account{}, pgx.ErrNoRows
	}
	return a.queries.AccountByEmail(ctx, email)
}

// MaxName is the longest name of a person, in characters.
const MaxName = 100

// SetName changes a person's name; an empty name removes it. The error is fault.Problems.
func (a *Accounts) SetName(ctx context.Context, account uuid.UUID, name string) error {
	name, err := cleanName(name)
	if err == nil {
		_, err = a.queries.AccountSetName(ctx, name, account)
	}
	return err
}

// cleanName returns a name as it is stored. The error is fault.Problems, by the field name.
func cleanName(name string) (string, error) {
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&name, MaxName, "name", ""))
	return name, problems.Err()
}
