package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"forecourt/app"
	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
)

type refundCommand struct {
	Transaction string `arg:"" help:"Its id, as in the address of the payment page."`
	Amount      string `placeholder:"12.50" help:"All that is left when not given."`
	Again       bool   `help:"Make it even though an equal refund was already made."`
	CaptureID   string `name:"transactionid" placeholder:"ID" help:"The gateway's transaction id of the payment, if it named none."`
}

func (refundCommand) Help() string {
	return "A refund that was cut off is resumed by the same command."
}

func (o refundCommand) Run(ctx context.Context, env environment) error {
	asked := payment.RefundRequest{TransactionID: o.Transaction, By: operator(), Again: o.Again, CaptureID: strings.TrimSpace(o.CaptureID)}
	if o.Amount != "" {
		minor, err := money.Parse(o.Amount)
		if err != nil || minor == 0 {
			return wrong("--amount is an amount above zero, such as 12.50")
		}
		asked.Amount = minor
	}
	return withGateway(ctx, env, func(rules *app.Rules) error {
		r, err := rules.Payments.Refund(ctx, asked)
		if err != nil {
			return err
		}
		text := map[state.Refund]string{
			state.RefundDone:     "Refunded %s %s of %s.\n",
			state.RefundDeclined: "The gateway declined the refund of %s %s of %s.\n",
			state.RefundOpen:     "The refund of %s %s of %s is not decided yet; the program goes on asking.\n",
			state.RefundPending:  "The refund of %s %s of %s is not decided yet: the gateway has it; the program goes on asking.\n",
			state.RefundManual:   "The refund of %s %s of %s waits for a person: see forecourt payments.\n",
		}[r.State]
		fmt.Fprintf(env.stdout, text, money.Wire(r.AmountMinor), r.Currency, r.TransactionID)
		switch r.State {
		case state.RefundDeclined:
			return errors.New("nothing was refunded")
		case state.RefundManual:
			return errors.New(r.ErrorMsg)
		}
		return nil
	})
}
