package account

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/secret"
)

// LetterTwoStepMoved says that another app makes the codes from now on.
const LetterTwoStepMoved = "two-step moved"

// MoveTwoStep makes a key for another app, for the password and a code of either kind. The present key stays good until FinishMove. The
// error is SignIn's, ErrCode or ErrNoStep.
func (a *Accounts) MoveTwoStep(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	c.Email = h.Email
	if _, err := a.SignIn(ctx, c); err != nil {
		return err
	}
	raw := make([]byte, keySize)
	_, _ = rand.Read(raw) // never fails
	return a.guarded(ctx, h, c, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := a.spend(ctx, tx, h, code); err != nil {
			return err
		}
		rows, err := db.New(tx).TotpMove(ctx, a.box.Seal(raw, totpPlace(h.ID)), &h.Session, h.ID)
		if err == nil && rows == 0 {
			err = ErrNoStep
		}
		return err
	})
}

// MovingTwoStep returns the key to which this session is moving the second step. The error is ErrNoSetup once SetupFor has passed.
func (a *Accounts) MovingTwoStep(ctx context.Context, h Holder) (Setup, error) {
	sealed, err := a.queries.TotpMoving(ctx, h.ID, &h.Session, SetupFor)
	return a.setup(h, sealed, err)
}

// FinishMove replaces the key with a first code of the new one, and ends the account's other sessions. Recovery codes stay as they are. The
// error is ErrCode, ErrNoSetup or *throttle.Error.
func (a *Accounts) FinishMove(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	return a.guarded(ctx, h, c, func(ctx context.Context, tx pgx.Tx) error {
		queries := db.New(tx)
		sealed, err := queries.TotpMoving(ctx, h.ID, &h.Session, SetupFor)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoSetup
		}
		if err != nil {
			return err
		}
		step, err := a.step(sealed, h.ID, bare(code), 0)
		if err != nil {
			return err
		}
		rows, err := queries.TotpMoved(ctx, db.TotpMovedParams{Step: step, AccountID: h.ID, SetupBy: &h.Session, Sealed: sealed})
		if err == nil && rows == 0 {
			err = ErrNoSetup
		}
		if err != nil {
			return err
		}
		_, ended := queries.SessionEndAll(ctx, h.ID, h.Session)
		return errors.Join(ended, a.record(ctx, tx, h, h.Email, EventTwoStepMoved, LetterTwoStepMoved))
	})
}
