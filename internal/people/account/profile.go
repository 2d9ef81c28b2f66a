package account

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// MaxName is the longest name of a person, in characters.
const MaxName = 100

// ErrName means that a name is too long, not printable or a card number.
var ErrName = fault.New(fault.Invalid, "a name has at most %d printable characters and holds no card number", MaxName)

// SetName changes a person's name; an empty name removes it. The error is ErrName.
func (a *Accounts) SetName(ctx context.Context, account uuid.UUID, name string) error {
	name, ok := cleanName(name)
	if !ok {
		return ErrName
	}
	_, err := a.queries.AccountSetName(ctx, name, account)
	return err
}

// cleanName returns a name as it is stored: without surrounding spaces.
func cleanName(name string) (string, bool) {
	name = strings.TrimSpace(name)
	return name, printable.Line(name, MaxName) && !card.HoldsNumber(name)
}
