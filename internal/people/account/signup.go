package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/throttle"
)

const maxPassword = secret.MaxHashed

// NewUser is what a person enters to get an account.
type NewUser struct {
	Credentials
	Confirm secret.Text
	Name    string // may be empty
	// Local means that the request was made on this machine, whose accounts SignUps does not count.
	Local bool
	// Staff and Verified never come from a form. Verified means that the operator vouches for the address.
	Staff, Verified bool
}

// ErrTaken means that the address already has an account.
var ErrTaken = fault.New(fault.Conflict, "the address has an account")

// SignUp makes an account (AUTH-01). The error is fault.Problems, ErrTaken, one of SignIn's limits, or that of SignUps: trying an address
// that has an account counts as a failure, so that nobody can probe many.
func (a *Accounts) SignUp(ctx context.Context, n NewUser) (user User, err error) {
	defer func() { a.judged(ctx, n.Credentials, uuid.Nil, err) }()
	if err := a.checkNew(n); err != nil {
		return User{}, err
	}
	ctx, leave, err := a.places.Enter(ctx, throttle.From(n.From))
	if err != nil {
		return User{}, err
	}
	defer leave()
	network := throttle.Network(n.From).String()
	guess := []throttle.Count{{Limit: a.limits.network, What: network}} // whether an address has an account
	signUp := []throttle.Count{{Limit: SignUps, What: network}}
	if n.Local {
		signUp = nil
	}
	if err := a.throttle.TakeAll(ctx, slices.Concat(guess, signUp)); err != nil {
		return User{}, err
	}
	user, err = a.signUp(ctx, n)
	back := guess
	switch {
	case errors.Is(err, ErrTaken):
		back = signUp
	case err != nil:
		back = slices.Concat(guess, signUp)
	}
	return user, errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), back))
}

// signUp makes an account and queues the letter that verifies its address. Beyond its network's limit of such letters it queues none;
// the person can ask for one later.
func (a *Accounts) signUp(ctx context.Context, n NewUser) (User, error) {
	letter := []throttle.Count{{Limit: linksByNetwork, What: throttle.Network(n.From).String()}}
	err := a.throttle.TakeAll(ctx, letter)
	limited := errors.As(err, new(*throttle.Error))
	if err != nil && !limited {
		return User{}, err
	}
	user, err := a.MakeBy(ctx, n, func(tx pgx.Tx, user User) error {
		if limited {
			return nil
		}
		return a.orderVerification(ctx, tx, user.ID)
	})
	if err != nil && !limited {
		err = errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), letter))
	}
	return user, err
}

// Make makes an account for an operator, without limits and without a letter. The error is fault.Problems or ErrTaken.
func (a *Accounts) Make(ctx context.Context, n NewUser) (User, error) {
	return a.MakeBy(ctx, n, nothing)
}

func nothing(pgx.Tx, User) error { return nil }

// MakeBy makes an account and does something more in the same transaction, such as using up a mailed link. It has no
// limits: check first whether the person may have an account, because a hash is expensive. The error is fault.Problems, ErrTaken, or
// that of after.
func (a *Accounts) MakeBy(ctx context.Context, n NewUser, after func(pgx.Tx, User) error) (User, error) {
	return a.make(ctx, n, func(pgx.Tx) error { return nil }, after)
}

// make makes an account between two steps of the same transaction.
func (a *Accounts) make(
	ctx context.Context, n NewUser, before func(pgx.Tx) error, after func(pgx.Tx, User) error,
) (User, error) {
	row, err := a.prepare(ctx, n)
	if err != nil {
		return User{}, err
	}
	user := User{ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff, New: true}
	return user, pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		if err := before(tx); err != nil {
			return err
		}
		rows, err := db.New(tx).AccountAdd(ctx, row)
		if err == nil && rows == 0 {
			err = ErrTaken
		}
		if err != nil {
			return err
		}
		return after(tx, user)
	})
}

// checkNew returns fault.Problems of an address or a password that breaks a rule.
func (a *Accounts) checkNew(n NewUser) error {
	problems := fault.Problems{}
	if !typed.IsEmail(typed.Email(n.Email)) {
		problems["email"] = noAddress
	}
	maps.Copy(problems, a.newPassword(db.Account{Email: n.Email, Name: n.Name, Staff: n.Staff}, n.Password, n.Confirm))
	return problems.Err()
}

// noAddress is what is wrong with a text that is no address.
const noAddress = "Enter an email address like name@example.com."

// prepare checks a new account and hashes its password. The error is fault.Problems.
func (a *Accounts) prepare(ctx context.Context, n NewUser) (db.AccountAddParams, error) {
	if err := a.checkNew(n); err != nil {
		return db.AccountAddParams{}, err
	}
	name, err := cleanName(n.Name)
	if err != nil {
		return db.AccountAddParams{}, err
	}
	ctx, leave, err := a.places.Enter(ctx, throttle.From(n.From))
	if err != nil {
		return db.AccountAddParams{}, err
	}
	defer leave()
	hash, err := a.hasher.Hash(ctx, typed.Password(n.Password))
	return db.AccountAddParams{
		ID: uuid.New(), Email: typed.Email(n.Email), Name: name, PasswordHash: hash, ShortPassword: short(typed.Password(n.Password)),
		Staff: n.Staff, Verified: n.Verified,
	}, err
}

// newToken returns the secret part of a link, 256 random bits.
func newToken() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}
