package account

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/secret"
)

// How long proofs of identity hold, and what people filled in waits for them.
const (
	ProofFor = 10 * time.Minute // a proof, in its session; signing in is one
	KeptFor  = time.Hour        // a form that waits for a proof or a sign-in
)

// Prove checks that the signed-in person is the owner of the account: by the password, and by a code of either kind if the account has a
// second step. The error is one of SignIn's, with the same limits, ErrCode, or ErrPasskey if only a passkey will do.
func (a *Accounts) Prove(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	c.Email = h.Email
	user, err := a.SignIn(ctx, c)
	if err != nil || !user.TwoStep {
		return err
	}
	err = a.guarded(ctx, h, c, func(ctx context.Context, tx pgx.Tx) error {
		_, err := a.spend(ctx, tx, h, code)
		return err
	})
	if !errors.Is(err, ErrNoStep) {
		return err
	}
	// The account has no codes. The password is enough only if they were removed meanwhile, not if there are passkeys in their place.
	asked, err := a.queries.SecondStepOn(ctx, h.ID)
	if err == nil && asked {
		err = ErrPasskey
	}
	return err
}
