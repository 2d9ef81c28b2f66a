package settlement_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// agrees compares the view owed with all movements of the last thirty days and all lines of payouts.
func agrees(t *testing.T, app *apptest.App, when string) {
	t.Helper()
	const list = "SELECT coalesce(string_agg(concat_ws(' ', kind, reference, amount_minor, currency), '; ' ORDER BY reference, kind), '') FROM "
	got := text(t, app, list+"owed")
	want := text(t, app, list+`(SELECT kind, reference, currency, CASE kind WHEN 'capture' THEN amount_minor ELSE -amount_minor END AS amount_minor
		FROM settled_movement m WHERE NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = m.reference AND l.kind = m.kind)) m`)
	check.Equal(t, got, want, "%s: owed", when)
}

func TestOwedListsTheMovementsThatNoPayoutHolds(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	ages := []string{"0 hours", "2 hours", "30 hours", "4 days", "6 days"}
	references := make([]string, len(ages))
	for i, age := range ages {
		_, references[i] = pay(t, app, approves)
		dbtest.Exec(t, app.Pool, "UPDATE attempt SET created_at = now() - $2::text::interval, settled_at = now() - $2::text::interval WHERE id = $1", references[i], age)
	}
	lists := func(want string) {
		t.Helper()
		check.Equal(t, text(t, app, "SELECT (SELECT count(*) FROM unsettled) || ' late, ' || (SELECT count(*) FROM awaited) || ' awaited, ' || (SELECT count(*) FROM owed WHERE late) || ' said to be late'"), want,
			"the lists hold")
	}
	agrees(t, app, "before any import")
	read(t, app)
	agrees(t, app, "after the first import")
	lists("1 late, 3 awaited, 1 said to be late")

	dbtest.Exec(t, app.Pool, "DELETE FROM awaited WHERE moved_at > now() - interval '5 hours'")
	dbtest.Exec(t, app.Pool, "UPDATE ledger_read SET listed_until = now() - interval '5 hours' WHERE kind = 'settled'")
	agrees(t, app, "before the next listing")
	lists("1 late, 2 awaited, 1 said to be late")
	check.Must(t, app.Settlement.ListAwaited(t.Context()))
	agrees(t, app, "between two imports")
	lists("1 late, 3 awaited, 1 said to be late")

	gateway.paysAs("p1", "11.00", "0.17", "10.83", "panezski", references[2])
	gateway.paysAs("p2", "11.00", "0.17", "10.83", "panezski", references[0])
	read(t, app)
	agrees(t, app, "after two are paid out")
	lists("1 late, 2 awaited, 1 said to be late")

	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid)
		SELECT gen_random_uuid(), transaction_id, shop_code, 100, currency, test_mode, 'ann', now(), 'done', now(), 'r1' FROM attempt WHERE id = $1`, references[1])
	dbtest.Exec(t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at, ended_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'lost', now(), now() - interval '3 hours' FROM attempt WHERE id = $1`, references[1])
	agrees(t, app, "after a refund and a dispute that the gateway reported late")
	read(t, app)
	agrees(t, app, "after they are listed")
	dbtest.Exec(t, app.Pool, "UPDATE dispute SET state = 'won'")
	agrees(t, app, "after the dispute is won")

	// A capture found by forecourt reconcile --import was made before the last import of payouts and is in no list.
	for i, age := range []time.Duration{50 * time.Hour, 7 * 24 * time.Hour} {
		trx, at := app.Order(t), time.Now().Add(-age)
		rows, err := db.New(app.Pool).CaptureImport(t.Context(), db.CaptureImportParams{
			ID: uuid.New(), TransactionID: trx, AmountMinor: 1100, Currency: "AUD", Transactionid: fmt.Sprint("T-", i), MovedAt: &at, Gateway: "x",
		})
		if err != nil || rows == 0 {
			t.Fatal(rows, err)
		}
		agrees(t, app, "after an import from "+age.String()+" ago")
		read(t, app)
		agrees(t, app, "after the following import of payouts")
	}
	lists("2 late, 3 awaited, 2 said to be late")
}

// A movement has the time at which its transaction began, so it may appear behind what was listed until then.
func TestMovementsAreListedUntilTheOldestRunningTransaction(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	began := dbtest.Value[time.Time](t, tx, "SELECT now()")
	until := func() time.Time {
		t.Helper()
		at, err := db.New(app.Pool).MovementsUntil(t.Context())
		check.Must(t, err)
		return at
	}
	if at := until(); at.After(began.Add(-time.Minute)) {
		t.Errorf("while a transaction runs that began at %s, movements are listed until %s", began, at)
	}
	check.Must(t, tx.Rollback(t.Context()))
	// The site's own work may run an older transaction for a moment.
	apptest.Eventually(t, "movements listed past a minute before the transaction began", func() bool { return until().After(began.Add(-time.Minute)) })
}
