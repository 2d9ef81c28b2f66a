package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"forecourt/app"
	"forecourt/internal/resealing"
	"forecourt/internal/secret"
)

type secretCommand struct {
	Rotate secretRotateCommand `cmd:"" help:"Seal with the new secret what an older one sealed. It may be stopped and run again."`
}

type secretRotateCommand struct{}

// Help says with which settings to run it.
func (secretRotateCommand) Help() string {
	return `Run it with the new secret in FORECOURT_SECRET and the old one in
FORECOURT_SECRET_PREVIOUS, once every serving program has both settings.
It says when you may remove FORECOURT_SECRET_PREVIOUS.`
}

// errLost means that no secret opens some rows, which were listed.
var errLost = errors.New("keep FORECOURT_SECRET_PREVIOUS, or the rows above are lost")

// Run seals each column's rows with the new secret.
func (secretRotateCommand) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		if err := r.Receipts.KeepKeys(ctx); err != nil {
			return err
		}
		ring, lost := secret.NewRing(c.Secret, c.SecretPrevious...), 0
		for _, column := range app.Sealed() {
			missing, err := env.reseal(ctx, r, ring, column)
			if err != nil {
				return err
			}
			if !column.Brief {
				lost += missing
			}
		}
		if lost > 0 {
			return errLost
		}
		if len(c.SecretPrevious) == 0 {
			_, err := fmt.Fprintln(env.stdout, "Everything is sealed with FORECOURT_SECRET.")
			return err
		}
		_, err := fmt.Fprintln(env.stdout, "Everything is sealed with FORECOURT_SECRET. Keep FORECOURT_SECRET_PREVIOUS for an hour, because open forms may still need it, then remove it and restart. "+
			"After that, a browser that has not visited since the change counts as a new one and gets no messages about its orders.")
		return err
	})
}

// reseal seals a column's rows with the new secret. It prints what it did, and the rows that no secret opens; lost is their number.
func (env environment) reseal(ctx context.Context, r *app.Rules, ring secret.Ring, column secret.Column) (lost int, err error) {
	name := column.Table + "." + column.Name
	result, err := resealing.Run(ctx, r.Pool, ring, column, func(so resealing.Result) {
		if so.Rows > 0 && so.Rows%1000 == 0 {
			fmt.Fprintf(env.stdout, "%s: %d rows so far\n", name, so.Rows)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w; run it again to go on", name, err)
	}
	fmt.Fprintf(env.stdout, "%s: %d of %d rows sealed anew\n", name, result.Renewed, result.Rows)
	for _, key := range result.Lost {
		fmt.Fprintf(env.stdout, "%s: no secret opens the row %s\n", name, key)
	}
	if len(result.Lost) > 0 {
		fmt.Fprintf(env.stdout, "%s: add the secret that sealed them to FORECOURT_SECRET_PREVIOUS and run this again. If it is lost: %s.\n", name, column.Lost)
	}
	return len(result.Lost), nil
}

// warnOfLost logs which tables have rows that no secret opens, and what to do about it.
func warnOfLost(ctx context.Context, c config, r *app.Rules, log *slog.Logger) error {
	ring := secret.NewRing(c.Secret, c.SecretPrevious...)
	for _, column := range app.Sealed() {
		opens, err := resealing.Opens(ctx, r.Pool, ring, column)
		if err != nil {
			return err
		}
		if !opens && !column.Brief {
			log.ErrorContext(ctx, "a row opens with none of the secrets", "table", column.Table, "column", column.Name,
				"do", "add the secret that sealed it to FORECOURT_SECRET_PREVIOUS; forecourt secret rotate lists all such rows", "if it is lost", column.Lost)
		}
	}
	return nil
}
