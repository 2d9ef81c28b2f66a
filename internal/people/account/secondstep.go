package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
)

// Factor says with what, beside or instead of the password, a session was opened.
type Factor string

// The factors. The zero value is none.
const (
	ByCode     Factor = "code"     // a one-time code
	ByRecovery Factor = "recovery" // a recovery code
	ByPasskey  Factor = "passkey"  // a passkey, which needs no password
)

// ErrHalf means that the password has to be typed again.
var ErrHalf = fault.New(fault.Gone, "no sign-in is under way")

// HalfFor is how long a browser in which the right password was typed may take to give the second step.
const HalfFor = 10 * time.Minute

// Halfway remembers for HalfFor that somebody typed the right password, and returns the secret by which their browser goes on to
// SecondStep. It opens nothing else.
func (a *Accounts) Halfway(ctx context.Context, user User) (secret.Text, error) {
	token := newToken()
	return secret.New(token), a.queries.HalfSessionAdd(ctx, hashToken(token), user.ID)
}

// FindHalf returns the person who is half signed in. The error is ErrHalf.
func (a *Accounts) FindHalf(ctx context.Context, token secret.Text) (User, error) {
	row, err := a.queries.HalfSessionGet(ctx, hashToken(token.Reveal()), HalfFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, ErrHalf
	}
	return User{ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff, TwoStep: true}, err
}

// SecondStep ends a sign-in with a code of either kind, which works once. The error is ErrHalf, ErrCode or *throttle.Error.
func (a *Accounts) SecondStep(ctx context.Context, token secret.Text, c Credentials, code secret.Text) (user User, by Factor, err error) {
	if user, err = a.FindHalf(ctx, token); err != nil {
		return User{}, "", err
	}
	half := Holder{ID: user.ID, Email: user.Email}
	err = a.guarded(ctx, half, c, func(ctx context.Context, tx pgx.Tx) error {
		if by, err = a.spend(ctx, tx, half, code); err != nil {
			return err
		}
		rows, err := db.New(tx).HalfSessionEnd(ctx, hashToken(token.Reveal()), HalfFor)
		if err == nil && rows == 0 {
			err = ErrHalf
		}
		return err
	})
	if errors.Is(err, ErrNoStep) { // it was removed meanwhile, so the password is enough and has to be typed again
		err = ErrHalf
	}
	return user, by, err
}

// EndHalf ends a half sign-in that another way to sign in, or another one, took the place of.
func (a *Accounts) EndHalf(ctx context.Context, token secret.Text) error {
	_, err := a.queries.HalfSessionEnd(ctx, hashToken(token.Reveal()), HalfFor)
	return err
}

// guarded runs a function that needs a code, in a transaction. It counts a try before making it, and the count stays if the code is wrong.
func (a *Accounts) guarded(ctx context.Context, h Holder, c Credentials, work func(context.Context, pgx.Tx) error) (err error) {
	defer func() { a.judged(ctx, c, h.ID, err) }()
	row, err := a.queries.AccountGet(ctx, h.ID)
	if err != nil {
		return err
	}
	counts := a.guess(a.limits.code, a.known(c.Device, row, true), h.Email, c)
	if err := a.throttle.TakeAll(ctx, counts); err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return work(ctx, tx) })
	switch {
	case errors.Is(err, ErrCode):
		return errors.Join(err, happened(context.WithoutCancel(ctx), a.queries, h, EventWrongCode, c.From.String()))
	case err != nil:
		return errors.Join(err, a.throttle.GiveBack(context.WithoutCancel(ctx), counts))
	default:
		return a.throttle.Passed(ctx, counts)
	}
}

// spend uses up a code of an account. If two requests spend the same code at once, one gets ErrCode. The error is ErrNoStep if the account
// has no second step.
func (a *Accounts) spend(ctx context.Context, tx pgx.Tx, h Holder, code secret.Text) (Factor, error) {
	queries, typed := db.New(tx), bare(code)
	row, err := queries.TotpLock(ctx, h.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNoStep
	}
	if err != nil {
		return "", err
	}
	if slices.Contains(recoverySizes, len(typed)) {
		rows, err := queries.RecoveryCodeSpend(ctx, h.ID, hashRecovery(h.ID, typed))
		if err == nil && rows == 0 {
			err = ErrCode
		}
		if err != nil {
			return "", err
		}
		return ByRecovery, a.told(ctx, tx, h, h.Email, EventRecoveryUsed, LetterRecoveryUsed, LetterData{h.ID})
	}
	step, err := a.step(row.Sealed, h.ID, typed, row.LastStep)
	if err != nil {
		return "", err
	}
	rows, err := queries.TotpSpend(ctx, step, h.ID, row.Sealed)
	if err == nil && rows == 0 {
		err = ErrCode
	}
	return ByCode, err
}
