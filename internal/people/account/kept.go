package account

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
)

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
