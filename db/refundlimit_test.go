package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

// During an upgrade the previous version's program uses the table by its old name, with the rights that its role had.
func TestThePreviousVersionReadsAndWritesRefundLimits(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	backTo(t, pool, 217)
	dbtest.Exec(t, pool, "GRANT SELECT, INSERT, UPDATE, DELETE ON refund_ceiling TO pg_monitor") // any role will do
	dbtest.Exec(t, pool, "INSERT INTO client (code, name, accent) VALUES ('anns', 'Anns', '#123456')")
	dbtest.Exec(t, pool, "INSERT INTO refund_ceiling VALUES ('anns', 'floor', 500)")
	must.NoError(t, db.Migrate(t.Context(), pool))
	var manager, floor int64
	must.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		for _, statement := range []string{
			"SET LOCAL ROLE pg_monitor",
			"INSERT INTO refund_ceiling (client_code, role, most_minor) VALUES ('anns', 'manager', 10000) ON CONFLICT (client_code, role) DO UPDATE SET most_minor = excluded.most_minor",
			"INSERT INTO refund_ceiling (client_code, role, most_minor) VALUES ('anns', 'floor', 700) ON CONFLICT (client_code, role) DO UPDATE SET most_minor = excluded.most_minor",
		} {
			if _, err := tx.Exec(t.Context(), statement); err != nil {
				return err
			}
		}
		return tx.QueryRow(t.Context(), "SELECT max(most_minor), min(most_minor) FROM refund_ceiling WHERE client_code = 'anns'").Scan(&manager, &floor)
	}))
	if manager != 10000 || floor != 700 {
		t.Errorf("the previous version reads %d and %d, want 10000 and 700", manager, floor)
	}
	limits, err := db.New(pool).RefundLimitList(t.Context(), "anns")
	if err != nil || len(limits) != 2 {
		t.Fatalf("this version reads %v, %v", limits, err)
	}
	for _, l := range limits {
		if want := map[string]int64{"manager": 10000, "floor": 700}[l.Role]; l.MostMinor == nil || *l.MostMinor != want {
			t.Errorf("the limit of %s: %v, want %d", l.Role, l.MostMinor, want)
		}
	}
}
