package staff

import (
	"context"
	"errors"
	"log/slog"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
)

// Waiting returns how many cases wait in each queue, by its address. It logs the error of a count that fails, and leaves that count out: a
// bar without numbers is better than no page.
func Waiting(
	queries *db.Queries, payments *payment.Payments, payouts *settlement.Settlement, log *slog.Logger,
) func(context.Context) map[string]int {
	return func(ctx context.Context) map[string]int {
		n, err := queries.StaffWaiting(ctx)
		undecided, noPayments := payments.Undecided(ctx)
		refunds, noRefunds := payments.WaitingRefunds(ctx)
		doubted, noPayouts := payouts.InDoubt(ctx)
		if err := errors.Join(err, noPayments, noRefunds, noPayouts); err != nil {
			log.WarnContext(ctx, "counting the cases that wait for staff failed", "error", err)
		}
		return map[string]int{
			"/staff/forms": int(n.Forms), "/staff/compliance": int(n.People), "/staff/live": int(n.GoLive), "/staff/accounts": int(n.Accounts),
			"/staff/disputes": int(n.Disputes), "/staff/payments": len(undecided), "/staff/refunds": refunds,
			"/staff/bank-accounts": int(n.PayoutAccounts), "/staff/payouts": len(doubted), "/staff/unmatched": int(n.Unmatched),
		}
	}
}
