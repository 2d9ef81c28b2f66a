package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"forecourt/internal/merchant"
)

// menuCommand gives a merchant the menu of a file.
type menuCommand struct {
	File     string `arg:"" help:"The menu, as JSON or CSV." missing:"a file and --merchant are needed"`
	Merchant string `placeholder:"CODE" help:"Code of the merchant (required)."`
}

// Help says what becomes of the old menu.
func (menuCommand) Help() string {
	return "It prints the address of the menu. The business sells in test mode until forecourt merchant live. Items that the file lacks are hidden, and the previous menu stays among the versions. What the file does not say of the business, and columns that a CSV lacks, stay as they are. The desk exports both forms, under Menu, Import and export."
}

// Run imports it.
func (o menuCommand) Run(ctx context.Context, env environment) error {
	if o.Merchant == "" {
		return env.wrong("a file and --merchant are needed")
	}
	file, err := os.ReadFile(o.File)
	if err != nil {
		return err
	}
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := merchant.ImportMenu(ctx, d.pool, o.Merchant, file); err != nil {
			return wordMenu(o.Merchant, err)
		}
		_, err := fmt.Fprintln(env.stdout, c.siteURL().JoinPath("pos", o.Merchant).String())
		return err
	})
}

// liveCommand lets a merchant take real money.
type liveCommand struct {
	Merchant string `arg:"" help:"Code of a merchant with a menu." missing:"which merchant?"`
	Off      bool   `help:"Take it back to test mode."`
}

// Run changes it.
func (o liveCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := merchant.SetLive(ctx, d.pool, o.Merchant, !o.Off, c.commandSite(d, nil).Verification()); err != nil {
			return wordMenu(o.Merchant, err)
		}
		mode := "live"
		if o.Off {
			mode = "in test mode"
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s now.\n", o.Merchant, mode)
		return err
	})
}

func wordMenu(code string, err error) error {
	switch {
	case errors.Is(err, merchant.ErrMerchant):
		return fmt.Errorf("there is no merchant %q", code)
	case errors.Is(err, merchant.ErrTaken):
		return fmt.Errorf("another business sells as %q", code)
	case errors.Is(err, merchant.ErrNoMenu):
		return fmt.Errorf("%s has nothing to sell: forecourt merchant import comes first", code)
	}
	return err // of an address that is not verified, which it names, or of the database
}
