package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
)

// How long proofs of identity hold, and what people filled in waits for them.
const (
	ProofFor = 10 * time.Minute // a proof, in its session; signing in is one
	KeptFor  = time.Hour        // a form that waits for a proof or a sign-in
)

// ErrUnproved means that the person has to prove again who they are.
var ErrUnproved = fault.New(fault.Forbidden, "the last proof of who it is is older than %s", clock.Spelled(ProofFor))

// Proof is a person's proof, within ProofFor, of who they are. A rule whose effect needs one takes it, so that no way leads around it:
// only the row of a session makes a Proof. The zero value proves nothing.
type Proof struct{ holds bool }

// Check returns ErrUnproved unless there is a proof.
func (p Proof) Check() error {
	if !p.holds {
		return ErrUnproved
	}
	return nil
}

// OperatorProof returns the proof of somebody who runs commands on the server. No handler may call it.
func OperatorProof() Proof { return Proof{true} }

// Prove checks that the signed-in person is the owner of the account: by the password, and by a code of either kind if the account has a
// second step. The error is one of SignIn's, with the same limits, ErrCode, or ErrPasskey if only a passkey will do.
func (a *Accounts) Prove(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	c.Email, c.session = h.Email, h.ID
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
		a.judged(ctx, c, h.ID, err)
	}
	return err
}

// ErrKept means that a form was already sent or discarded, is older than KeptFor, or belongs to another account or address.
var ErrKept = fault.New(fault.Gone, "no such form is kept")

// Keep stores a form of an account that waits for its sender, sealed. Of an account, five wait.
func (a *Accounts) Keep(ctx context.Context, id, account uuid.UUID, form []byte) error {
	return a.queries.KeptAdd(ctx, id, account, a.forms.Seal(form, keptPlace(id, account)))
}

// FindKept returns a form that waits. The error is ErrKept.
func (a *Accounts) FindKept(ctx context.Context, id, account uuid.UUID) ([]byte, error) {
	sealed, err := a.queries.KeptGet(ctx, id, account, KeptFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrKept
	}
	if err != nil {
		return nil, err
	}
	form, err := a.forms.Open(sealed, keptPlace(id, account))
	if errors.As(err, new(*secret.LostError)) { // the person fills it in again
		return nil, ErrKept
	}
	return form, err
}

// DropKept ends a form. The error is ErrKept.
func (a *Accounts) DropKept(ctx context.Context, id, account uuid.UUID) error {
	rows, err := a.queries.KeptTake(ctx, id, account, KeptFor)
	if err == nil && rows == 0 {
		err = ErrKept
	}
	return err
}

// keptPlace returns the context in which a form is sealed, so that a row cannot be moved to another account.
func keptPlace(id, account uuid.UUID) string {
	return "form " + id.String() + " of " + account.String()
}

// Sealed describes the columns with the keys of one-time codes and with forms that wait.
func Sealed() []secret.Column {
	place := func(parts []string) string { return totpPlace(uuid.MustParse(parts[0])) }
	key := []secret.Part{{Name: "account_id", Type: "uuid"}}
	const lost = "the person signs in with a recovery code and moves to another app, or `forecourt user two-step EMAIL --off`"
	return []secret.Column{
		{Table: "totp", Name: "sealed", Purpose: "one-time codes", Key: key, Place: place, Lost: lost},
		{
			Table: "totp", Name: "next_sealed", Purpose: "one-time codes", Key: key,
			Place: place, Lost: "the person begins the move to another app again",
		},
		{
			Table: "kept", Name: "sealed", Purpose: "kept input",
			Key: []secret.Part{{Name: "id", Type: "uuid"}}, And: []secret.Part{{Name: "account_id", Type: "uuid"}},
			Place: func(p []string) string { return keptPlace(uuid.MustParse(p[0]), uuid.MustParse(p[1])) },
			Lost:  "nothing: it is deleted within an hour, and the person types it again", Brief: true,
		},
	}
}
