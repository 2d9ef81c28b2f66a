package jobs

import (
	"context"
	"time"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/books"
)

// step is how many rows one statement deletes. After a long pause there may be millions, and no statement should hold its locks for long.
const step = 5000

// upkeep expires orders that nobody paid in time and deletes what is no longer needed. An age that a rule
// shares is a constant beside the rule. The other queries (…Prune) name theirs, such as 30 days for mails: with an age that it does not
// know, PostgreSQL would read the whole of a table that grows.
func (c Config) upkeep(ctx context.Context) error {
	queries := db.New(c.Pool)
	expired, err := inSteps(ctx, queries.TransactionExpire)
	if err != nil {
		return err
	}
	var dropped int64
	for _, prune := range []func(context.Context, int32) (int64, error){
		queries.OrderKeyPrune, queries.SessionPrune, queries.PasswordResetPrune, queries.VerificationPrune, queries.AccountEventPrune,
		queries.ThrottlePrune, queries.MailPrune, queries.BatchKeyForget, queries.PushRegistrationPrune,
		queries.LimitSettleLeft, queries.OriginSettleLeft, queries.ShopEventPrune, queries.StaffLapse,
		after(account.KeptFor, queries.KeptPrune),
		after(account.HalfFor, queries.HalfSessionPrune), after(account.ChallengeFor, queries.PasskeyChallengePrune),
		after(account.SetupFor, queries.TotpPrune), after(payment.LimitWindow, queries.LimitPrune),
		after(payment.LimitWindow, queries.LimitTryPrune), after(books.ExportKeptFor, queries.ExportPrune),
	} {
		rows, err := inSteps(ctx, prune)
		if err != nil {
			return err
		}
		dropped += rows
	}
	if expired+dropped > 0 {
		c.Log.InfoContext(ctx, "upkeep", "expired", expired, "dropped", dropped)
	}
	return nil
}

// after returns a function that deletes what is older than age.
func after(
	age time.Duration, prune func(ctx context.Context, age time.Duration, atMost int32) (int64, error),
) func(context.Context, int32) (int64, error) {
	return func(ctx context.Context, atMost int32) (int64, error) { return prune(ctx, age, atMost) }
}

// inSteps calls work with a limit on the rows until it handles fewer.
func inSteps(ctx context.Context, work func(ctx context.Context, atMost int32) (int64, error)) (total int64, err error) {
	for {
		rows, err := work(ctx, step)
		total += rows
		if err != nil || rows != step {
			return total, err
		}
	}
}
