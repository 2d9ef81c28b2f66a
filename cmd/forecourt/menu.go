package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"forecourt/internal/menu"
)

// importMenu gives a merchant the menu of a file.
func importMenu(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("merchant import", flag.ContinueOnError)
	code := flags.String("merchant", "", "`CODE` of the merchant")
	about := "Gives a merchant the menu of a JSON file, and prints where it is: forecourt merchant import menu.json --merchant CODE\n" +
		"It sells in test mode until forecourt merchant live. What the file has no more is hidden."
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	name := at(words, 0)
	if name == "" || *code == "" {
		return env.wrong("merchant import", "a file and --merchant are needed")
	}
	file, err := os.Open(name) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	read, err := menu.Read(file)
	if err != nil {
		return err
	}
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := menu.Import(ctx, d.pool, *code, read); err != nil {
			return wordMenu(*code, err)
		}
		_, err := fmt.Fprintln(env.stdout, c.siteURL().JoinPath("pos", *code).String())
		return err
	})
}

// setLive lets a merchant take real money.
func setLive(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("merchant live", flag.ContinueOnError)
	off := flags.Bool("off", false, "take it back to test mode")
	about := "Lets a merchant with a menu take real money: forecourt merchant live CODE [--off]"
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	code := at(words, 0)
	if code == "" {
		return env.wrong("merchant live", "which merchant?")
	}
	return withDatabase(ctx, env, func(_ config, d *database) error {
		if err := menu.SetLive(ctx, d.pool, code, !*off); err != nil {
			return wordMenu(code, err)
		}
		mode := "live"
		if *off {
			mode = "in test mode"
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s now.\n", code, mode)
		return err
	})
}

func wordMenu(code string, err error) error {
	switch {
	case errors.Is(err, menu.ErrMerchant):
		return fmt.Errorf("there is no merchant %q", code)
	case errors.Is(err, menu.ErrTaken):
		return fmt.Errorf("another business sells as %q", code)
	case errors.Is(err, menu.ErrNoMenu):
		return fmt.Errorf("%s has nothing to sell: forecourt merchant import comes first", code)
	default:
		return err
	}
}
