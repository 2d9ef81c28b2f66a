package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/app"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/receipt"
)

type secretCommand struct {
	Rotate secretRotateCommand `cmd:"" help:"Replace the secret: seal everything again with another one, while no program serves."`
}

type secretRotateCommand struct {
	From string `placeholder:"FILE" help:"The file with the secret so far, if FORECOURT_SECRET is the new one."`
	Lost bool   `help:"Leave rows that no secret opens as they are; each is listed with what to do about it."`
}

func (secretRotateCommand) Help() string {
	return "Without FORECOURT_SECRET it makes a new secret in the data folder. Otherwise set that to the new " +
		"one first. All or nothing changes, so it may be run again."
}

func (o secretRotateCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	if o.From != "" && c.Secret == "" {
		return wrong("--from goes with FORECOURT_SECRET, which is then the new secret")
	}
	from, err := o.read()
	if err != nil {
		return err
	}
	c.existing, c.beside = true, true
	d, err := openDatabase(ctx, c, env.commandLog(), env.stderr)
	if err != nil {
		return err
	}
	return errors.Join(o.rotate(ctx, env, c, d, from), d.close(ctx))
}

// read returns the secret so far, as the file has it, before root becomes the owner of the data folder. "" means none.
func (o secretRotateCommand) read() (string, error) {
	if o.From == "" {
		return "", nil
	}
	text, err := os.ReadFile(o.From)
	from := strings.TrimSpace(string(text))
	if err == nil && len(from) < 32 {
		err = fmt.Errorf("%s is shorter than 32 bytes", o.From)
	}
	return from, err
}

func (o secretRotateCommand) rotate(ctx context.Context, env environment, c config, d *database, from string) (err error) {
	to, finish := c.Secret, func() error { return nil }
	if from == "" && d.server != nil && !o.Lost || to == "" {
		if from, err = loadSecret(d.folder, "secret"); err != nil {
			return err
		}
	}
	if to == "" {
		if to, err = loadSecret(d.folder, "secret.new"); err != nil {
			return err
		}
		finish = func() error {
			return renameDurably(filepath.Join(d.folder, "secret.new"), filepath.Join(d.folder, "secret"))
		}
	}
	if from == "" && !o.Lost {
		return wrong("--from FILE names the secret so far; --lost, if nobody has it")
	}
	results, err := secret.Rotation{
		Columns: app.Sealed(), From: from, To: to, Lost: o.Lost,
		Also: func(ctx context.Context, tx pgx.Tx) error {
			return receipt.KeepKey(ctx, tx, secret.NewRing(from), secret.NewRing(to))
		},
	}.Run(ctx, d.pool)
	for _, r := range results {
		fmt.Fprintf(env.stdout, "%s.%s: %d of %d rows sealed again\n", r.Table, r.Name, r.Renewed, r.Rows)
		for _, key := range r.Lost {
			fmt.Fprintf(env.stdout, "%s.%s: neither secret opens the row %s. If it is lost: %s.\n", r.Table, r.Name, key, r.Column.Lost)
		}
	}
	if err == nil {
		err = finish()
	}
	if err != nil {
		return wordSecret(err)
	}
	_, err = fmt.Fprintf(env.stdout, "The database belongs to the secret with the fingerprint %s. Start every "+
		"process with it. Keep the old secret with the backups "+
		"that were taken under it.\nBrowsers count as new ones, and get no more messages about their "+
		"orders until they ask again.\n", secret.Fingerprint(to))
	return err
}

// openSecret returns the secret, once the database belongs to it.
func (d *database) openSecret(ctx context.Context, c config) (string, error) {
	present, err := d.readSecret(c)
	if err == nil {
		err = wordSecret(secret.CheckDatabase(ctx, d.pool, app.Sealed(), present))
	}
	return present, err
}

// wordSecret says what to do about a secret that does not fit.
func wordSecret(err error) error {
	var wrong *secret.WrongError
	var older *secret.OlderError
	switch {
	case errors.As(err, &wrong):
		return &settingError{"FORECOURT_SECRET", err.Error() + ": use that secret, or run forecourt secret rotate --from FILE with it"}
	case errors.As(err, &older):
		return &settingError{"FORECOURT_SECRET", err.Error() + ": run forecourt secret rotate --from FILE with the earlier one, or with --lost"}
	}
	return err
}
