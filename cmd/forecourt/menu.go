package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"forecourt/app"
	"forecourt/internal/merchant"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

// menuCommand replaces a merchant's menu with that in a file.
type menuCommand struct {
	File   string `arg:"" help:"The menu, as JSON or CSV." missing:"a file and --client are needed"`
	Client string `placeholder:"CODE" aliases:"merchant" help:"Code of the merchant, as in /pos/CODE (required)."`
}

// Help says what happens to the old menu.
func (menuCommand) Help() string {
	return "It prints the address of the menu. The business sells in test mode until forecourt merchant live. Items that the file lacks are hidden, and the previous menu stays among the versions. Facts of the business that the file does not name, and columns that a CSV lacks, stay as they are. The desk exports both forms, under Menu, Import and export."
}

// Run imports it.
func (o menuCommand) Run(ctx context.Context, env environment) error {
	if o.Client == "" {
		return env.wrong("a file and --client are needed")
	}
	file, err := os.ReadFile(o.File)
	if err != nil {
		return err
	}
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := merchant.ImportMenu(ctx, d.pool, o.Client, file); err != nil {
			return wordMenu(o.Client, err)
		}
		_, err := fmt.Fprintln(env.stdout, c.siteURL().JoinPath("pos", o.Client).String())
		return err
	})
}

// liveCommand lets a merchant take real money.
type liveCommand struct {
	Client     string `arg:"" help:"Code of the business, as in /pos/CODE; it needs a menu." missing:"which business?"`
	Off        bool   `help:"Take it back to test mode."`
	Unreviewed bool   `help:"Go live without the approval of staff, even if steps of the checklist are missing. The audit log records it."`
}

// Help says by which rules a merchant goes live.
func (liveCommand) Help() string {
	return "The rules are those of the page /desk/CODE/live: the checklist has to be done, and staff have to have approved the request at /staff/live. Only --unreviewed goes live without that."
}

// Run changes the mode.
func (o liveCommand) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, rules *app.Rules) error {
		if err := rules.GoLive.Operate(ctx, o.Client, !o.Off, o.Unreviewed); err != nil {
			return wordLive(o.Client, err)
		}
		mode := "live"
		if o.Off {
			mode = "in test mode"
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s now.\n", o.Client, mode)
		return err
	})
}

func wordMenu(code string, err error) error {
	switch {
	case errors.Is(err, merchant.ErrMerchant):
		return fmt.Errorf("no merchant has the code %q; a business that was made on its desk imports menus there", code)
	case errors.Is(err, merchant.ErrTaken):
		return fmt.Errorf("another business sells as %q", code)
	}
	return err
}

func wordLive(code string, err error) error {
	var missing *shopstore.MissingError
	switch {
	case errors.Is(err, shop.ErrMissing):
		return fmt.Errorf("there is no business %q", code)
	case errors.Is(err, shop.ErrNothingToSell):
		return fmt.Errorf("%s has nothing to sell: publish a menu first", code)
	case errors.As(err, &missing) && len(missing.Unverified) > 0:
		return fmt.Errorf("the address %s is not verified: its owner has to open the link that was mailed there", missing.Unverified[0])
	case errors.As(err, &missing):
		names := make([]string, len(missing.Steps))
		for i, step := range missing.Steps {
			names[i] = string(step)
		}
		return fmt.Errorf("%s is not ready; it lacks %s. See --unreviewed", code, strings.Join(names, ", "))
	case errors.Is(err, shop.ErrNotApproved):
		return fmt.Errorf("staff have not yet allowed %s to go live: see /staff/live, or --unreviewed", code)
	}
	return err
}
