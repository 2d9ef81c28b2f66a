package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// takenSlack is how much newer than the start of a backup its newest row may be, because copying sometimes waits a moment.
const takenSlack = 5 * time.Minute

// ErrFuture means that the given time of a backup lies in the future.
var ErrFuture = fault.New(fault.Invalid, "no backup can have been taken in the future")

// NewerError means that a database has newer rows than the backup that it is said to come from.
type NewerError struct{ Newest time.Time }

func (e NewerError) Error() string {
	return fmt.Sprintf("the database holds work of %s", e.Newest.UTC().Format(time.RFC3339))
}

// CloseRestored closes the payments of a database that the database's own tools restored from a backup, until the gateway's ledger since
// taken is imported. served says that a program has used the database since, so that newer rows prove nothing. Errors: ErrFuture,
// NewerError.
func CloseRestored(ctx context.Context, pool *pgxpool.Pool, taken time.Time, served bool) error {
	var now time.Time
	var newest *time.Time
	// A serving program makes a job each minute, so the newest row is hardly older than the backup.
	err := pool.QueryRow(ctx, `WITH kept AS (
			SELECT greatest((SELECT max(created_at) FROM river_job), (SELECT max(created_at) FROM order_key),
			                (SELECT max(created_at) FROM refund)) AS newest
		)
		SELECT now(), greatest(newest,
			(SELECT max(created_at) FROM transaction WHERE created_at > coalesce(newest, '-infinity')),
			(SELECT max(created_at) FROM attempt WHERE created_at > coalesce(newest, '-infinity'))) FROM kept`).Scan(&now, &newest)
	switch {
	case err != nil:
		return err
	case taken.After(now):
		return ErrFuture
	case newest != nil && !served && newest.After(taken.Add(takenSlack)):
		return NewerError{*newest}
	}
	// A time that is too late would leave out the payments in between, so an older newest row takes its place.
	if newest != nil && newest.Before(taken) {
		taken = *newest
	}
	return db.New(pool).RestoreAdd(ctx, taken)
}
