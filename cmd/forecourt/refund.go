package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"forecourt/db/state"
	"forecourt/internal/money"
	"forecourt/internal/payment"
)

// refundCommand refunds a payment.
type refundCommand struct {
	Transaction string `arg:"" help:"Its id, as in the address of the payment page." missing:"which transaction?"`
	Amount      string `placeholder:"12.50" help:"All that is left when not given."`
	Again       bool   `help:"Make it even though an equal refund was already made."`
	CaptureID   string `name:"transactionid" placeholder:"ID" help:"The gateway's transaction id of the payment, if it named none."`
}

// Help says how to resume.
func (refundCommand) Help() string {
	return "A refund that was cut off is resumed by the same command."
}

// Run refunds.
func (o refundCommand) Run(ctx context.Context, env environment) error {
	asked := payment.RefundRequest{TransactionID: o.Transaction, By: operator(), Again: o.Again, CaptureID: strings.TrimSpace(o.CaptureID)}
	if o.Amount != "" {
		minor, err := money.Parse(o.Amount)
		if err != nil || minor == 0 {
			return env.wrong("--amount is an amount above zero, such as 12.50")
		}
		asked.Amount = minor
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		r, err := p.Refund(ctx, asked)
		if err != nil {
			return wordRefund(err)
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

func wordRefund(err error) error {
	for known, text := range map[error]string{
		payment.ErrMissing: "no such transaction",
		payment.ErrNotPaid: "the transaction is not paid",
		payment.ErrNoCaptureID: "the gateway named no transaction id for this payment, so it cannot be refunded: " +
			"find the id at the gateway and give it with --transactionid",
		payment.ErrCaptureID:    "the gateway named another transaction id for this payment, or that is not a valid one",
		payment.ErrOtherCapture: "that transaction id belongs to another payment",
		payment.ErrTooMuch:      "that is more than is left of the payment",
		payment.ErrEqualRefund:  "an equal refund was already made; --again makes another one",
		payment.ErrDisputed:     "the payment is disputed: the payer's bank holds its money or has taken it",
		payment.ErrInQuestion:   "the gateway's ledger and our books differ about this payment: close that entry at /staff/unmatched first",
		payment.ErrOtherRefund:  "another refund of this transaction came first or is not decided yet",
		payment.ErrElsewhere:    "it was paid at a gateway that is not set up: set GATEWAY_PREVIOUS_URL",
		payment.ErrRestored:     "a restore has closed this payment: run forecourt reconcile --import, which says what it still waits for",
	} {
		if errors.Is(err, known) {
			return errors.New(text)
		}
	}
	return err
}
