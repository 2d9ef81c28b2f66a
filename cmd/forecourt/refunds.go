package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"forecourt/db"
	"forecourt/internal/money"
	"forecourt/internal/payment"
)

// listRefunds prints the refunds that a person may decide or, with all, every refund without an outcome. If there is none, it prints a
// message only with all.
func (env environment) listRefunds(ctx context.Context, p *payment.Payments, asJSON, all bool) error {
	undecided, err := p.UndecidedRefunds(ctx)
	if err != nil {
		return err
	}
	listed := []db.RefundListUndecidedRow{}
	for _, r := range undecided {
		if r.Late || all {
			listed = append(listed, r)
		}
	}
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(listed)
	}
	if len(listed) == 0 {
		if all {
			_, err = fmt.Fprintln(env.stdout, "Every refund has an outcome.")
		}
		return err
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "REFUND\tTRANSACTION\tCLIENT\tAMOUNT\tSTATE\tSINCE\tWHY")
	for _, r := range listed {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s %s\t%s\t%s\t%s\n", r.ID, r.TransactionID, r.ClientCode, money.Wire(r.AmountMinor),
			r.Currency, r.State, r.CreatedAt.UTC().Format(time.RFC3339), p.Why(r.Gateway, r.ErrorMsg, r.CreatedAt))
	}
	return table.Flush()
}
