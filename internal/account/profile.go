package account

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"forecourt/internal/fault"
	"forecourt/internal/printable"
)

// MaxName is the longest name of a person, in characters.
const MaxName = 100

// ErrName is a name that is too long or not printable.
var ErrName = fault.New(fault.Invalid, "no name")

// SetName changes how a person is called; an empty name removes it. The error is ErrName.
func (a *Accounts) SetName(ctx context.Context, account uuid.UUID, name string) error {
	name, ok := cleanName(name)
	if !ok {
		return ErrName
	}
	_, err := a.queries.AccountSetName(ctx, name, account)
	return err
}

// cleanName is a name as it is kept: without spaces at its ends.
func cleanName(name string) (string, bool) {
	name = strings.TrimSpace(name)
	return name, printable.Line(name, MaxName)
}
