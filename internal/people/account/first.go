package account

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
)

// FirstFor is how long a link to the first staff account works.
const FirstFor = time.Hour

// OfferFirst makes the secret part of a link to the first staff account. The link works once, for FirstFor, and replaces any older
// one. The secret is zero if a staff account exists.
func OfferFirst(ctx context.Context, queries *db.Queries) (secret.Text, error) {
	token := newToken()
	rows, err := queries.FirstStaffOffer(ctx, hashToken(token), FirstFor)
	if err != nil || rows == 0 {
		return secret.Text{}, err
	}
	return secret.New(token), nil
}

// FindFirst returns ErrLink if a link to the first staff account does not work.
func (a *Accounts) FindFirst(ctx context.Context, token secret.Text) error {
	works, err := a.queries.FirstStaffFind(ctx, hashToken(token.Reveal()))
	if err == nil && !works {
		err = ErrLink
	}
	return err
}

// MakeFirst makes the first staff account through such a link. The error is ErrLink, fault.Problems or ErrTaken; after all
// but the first the link still works.
func (a *Accounts) MakeFirst(ctx context.Context, token secret.Text, n NewUser) (User, error) {
	// A hash is expensive, so nobody gets one without a valid link.
	if err := a.FindFirst(ctx, token); err != nil {
		return User{}, err
	}
	n.Staff, n.Verified = true, true
	return a.make(ctx, n, func(tx pgx.Tx) error { // before there is such an account
		used, err := db.New(tx).FirstStaffUse(ctx, hashToken(token.Reveal()))
		if err == nil && used == 0 {
			err = ErrLink
		}
		return err
	}, nothing)
}
