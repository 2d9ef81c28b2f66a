package main

import (
	"context"
	"errors"
	"strings"

	"forecourt/app"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/paylink"
)

type merchantCommand struct {
	Paylink paylinkCommand `cmd:"" help:"Make a link that somebody pays, and print its address."`
	Gateway gatewayCommand `cmd:"" help:"Set, generate, try or remove the account at the gateway that wallets need."`
}

type paylinkCommand struct {
	Client      string `placeholder:"CODE" help:"Code of the business, as in /pos/CODE (required)."`
	Amount      string `placeholder:"12.50" help:"What is to be paid (required)."`
	Currency    string `placeholder:"AUD" help:"Three letters; default: the business's own."`
	Description string `placeholder:"TEXT" help:"What the payer reads."`
	Reference   string `placeholder:"TEXT" help:"The business's own reference, such as an invoice number."`
	Expires     string `placeholder:"DAY" help:"${paylink_expires}"`
	asJSON
}

func (o paylinkCommand) Run(ctx context.Context, env environment) error {
	link := paylink.Wanted{Shop: o.Client, Currency: o.Currency, Description: o.Description, Reference: o.Reference}
	var err error
	if link.Amount, err = money.Parse(o.Amount); err != nil {
		return wrong("--amount has to be an amount above zero, such as 12.50")
	}
	if link.Expires, err = paylink.ParseExpiry(o.Expires); err != nil {
		return wrong("--expires: %s", err)
	}
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		made, err := paylink.Create(ctx, r.Pool, []paylink.Wanted{link})
		if problems := (paylink.Problems)(nil); errors.As(err, &problems) {
			return wrong("%s", wordProblems(problems))
		}
		if err != nil {
			return err
		}
		address := c.siteURL().JoinPath("pos", made[0].Shop, made[0].ID).String()
		return o.print(env, map[string]string{
			"trxId": made[0].ID, "url": address, "amount": money.Wire(made[0].Amount), "currency": made[0].Currency,
		}, address+"\n")
	})
}

func wordProblems(problems paylink.Problems) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Reason
	}
	return strings.Join(texts, "; ")
}
