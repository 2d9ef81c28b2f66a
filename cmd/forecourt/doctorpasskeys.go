package main

import (
	"context"
	"fmt"

	"forecourt/db"
	"forecourt/internal/account"
)

// passkeys counts the passkeys that belong to another name than the site's, with which nobody can sign in here.
func (d *doctor) passkeys(ctx context.Context) {
	if d.pool == nil || d.URL == nil {
		return
	}
	name := account.PasskeyName(d.URL)
	found, err := db.New(d.pool).PasskeyElsewhere(ctx, name)
	switch {
	case err != nil:
		d.add("passkeys", fail, err.Error(), "")
	case found.LockedOut > 0:
		d.add("passkeys", fail, fmt.Sprintf(
			"%d belong to another name than %s, and %d people cannot sign in without them", found.Passkeys, d.URL.Hostname(), found.LockedOut,
		),
			"Set FORECOURT_URL back, or verify each of these people and run forecourt user two-step EMAIL --off.")
	case found.Passkeys > 0:
		d.add(
			"passkeys", warn,
			fmt.Sprintf("%d belong to another name than %s, and nobody can sign in with them here", found.Passkeys, d.URL.Hostname()),
			"Their owners add new ones at /account/passkeys.",
		)
	default:
		d.add("passkeys", fine, "all belong to "+d.URL.Hostname(), "")
	}
}
