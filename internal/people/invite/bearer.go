package invite

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/netip"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
)

// ErrToken means that a bearer token is not valid.
var ErrToken = fault.New(fault.Forbidden, "no such bearer token, or it was revoked")

// Holder returns the code of the business that a bearer token belongs to, and records its use and the caller's address. A valid
// token always works; invalid ones are counted by address. Errors: ErrToken, *throttle.Error after too many.
func (i *Invites) Holder(ctx context.Context, token secret.Text, from netip.Addr) (shop string, err error) {
	sum := digest(token)
	found, err := i.queries.InviteUseToken(ctx, from.String(), sum)
	if errors.Is(err, pgx.ErrNoRows) {
		if err := i.throttle.Take(ctx, i.bearer, throttle.Network(from).String()); err != nil {
			return "", err
		}
		return "", ErrToken
	}
	if err != nil {
		return "", err
	}
	// The index found the token by its hash, which nobody can choose. This comparison does not reveal how much of it matches, either.
	if subtle.ConstantTimeCompare(found.TokenHash, sum) != 1 {
		return "", ErrToken
	}
	return found.ShopCode, nil
}
