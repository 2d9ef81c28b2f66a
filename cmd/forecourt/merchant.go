package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"forecourt/internal/money"
	"forecourt/internal/paylink"
	words "forecourt/views/paylink"
)

// merchant runs the commands about one business.
func merchant(ctx context.Context, env environment, args []string) error {
	return env.branch(ctx, "merchant", "Works for one business.", args, []command{
		{"paylink", "merchant paylink --client CODE --amount 12.50", "make a link that somebody pays", makePaylink},
	})
}

// makePaylink makes a pay link and prints its address.
func makePaylink(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("merchant paylink", flag.ContinueOnError)
	link := paylink.New{}
	flags.StringVar(&link.Client, "client", "", "`CODE` of the business, as in /pos/CODE")
	amount := flags.String("amount", "", "what is to be paid, such as `12.50`")
	flags.StringVar(&link.Currency, "currency", "", "three letters, such as `AUD` (default: the business's own)")
	flags.StringVar(&link.Description, "description", "", "`TEXT` that the payer reads")
	flags.StringVar(&link.Reference, "reference", "", "the business's own `TEXT`, such as an invoice number")
	expires := flags.String("expires", "", "last `DAY` (UTC) or moment to pay, such as 2027-01-31 or 2027-01-31T09:30:00Z (default: never)")
	asJSON := flags.Bool("json", false, "as JSON")
	about := "Makes a link for somebody to pay, and prints its address."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	var err error
	if link.Amount, err = money.Parse(*amount); err != nil {
		return env.wrong("merchant paylink", "--amount has to be an amount above zero, such as 12.50")
	}
	if link.Expires, err = parseEnd(*expires); err != nil {
		return env.wrong("merchant paylink", "--expires: "+err.Error())
	}
	return withDatabase(ctx, env, func(c config, d *database) error {
		made, err := paylink.Create(ctx, d.pool, []paylink.New{link})
		var problems paylink.Problems
		if errors.As(err, &problems) {
			return env.wrong("merchant paylink", wordProblems(problems))
		}
		if err != nil {
			return err
		}
		address := c.siteURL().JoinPath("pos", made[0].Client, made[0].ID).String()
		if !*asJSON {
			_, err = fmt.Fprintln(env.stdout, address)
			return err
		}
		return json.NewEncoder(env.stdout).Encode(map[string]string{
			"trxId": made[0].ID, "url": address, "amount": money.Wire(made[0].Amount), "currency": made[0].Currency,
		})
	})
}

func wordProblems(problems paylink.Problems) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = words.ProblemText(p.Field, string(p.Problem))
	}
	return strings.Join(texts, "; ")
}

// parseEnd reads when something ends: a day ends with it, and nothing never does.
func parseEnd(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := parseMoment(s)
	if _, notDay := time.Parse(time.DateOnly, s); err == nil && notDay == nil {
		t = t.AddDate(0, 0, 1).Add(-time.Second)
	}
	return t, err
}
