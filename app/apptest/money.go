package apptest

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
)

// AcceptDifferences accepts everything that the gateway's ledger and the books have differently.
func (a *App) AcceptDifferences(t *testing.T) {
	t.Helper()
	for {
		cases, _, err := a.Settlement.Cases(t.Context(), 1)
		check.Must(t, err)
		if len(cases) == 0 {
			return
		}
		c, err := a.Payments.MoneyCase(t.Context(), cases[0].Subject)
		check.Must(t, err)
		check.Must(t, a.Payments.DecideMoney(t.Context(), cases[0].Subject, payment.Decision{Proof: account.OperatorProof(),
			End: payment.EndAccept, By: "Kim", Reason: "agreed", Seen: c.Seen(),
		}))
	}
}
