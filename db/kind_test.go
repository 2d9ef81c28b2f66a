package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
)

func TestOldTransactionsGetTheirKind(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	backTo(t, pool, 33)
	dbtest.Exec(t, pool, "INSERT INTO client (code, name, accent) VALUES ('cafe', 'Cafe', '#123456')")
	// write stores a transaction as the previous version does.
	write := func(owner, id, source, ref string, expires any) {
		dbtest.Exec(t, pool, `INSERT INTO transaction (id, `+owner+`, amount_minor, currency, country_code, test_mode, source, trx_ref, expires_at)
			VALUES ($1, 'cafe', 100, 'AUD', 'AU', true, $2, $3, now() + $4::text::interval)`, id, source, ref, expires)
	}
	kinds := []struct {
		name, source, ref string
		expires           any
		want              string
	}{
		{"from a menu", "diy-pos", "", "2 hours", "order"},
		{"from a menu, with a reference", "diy-pos", "INV-1", "2 hours", "order"},
		{"from another till", "till", "POS", "2 hours", "order"},
		{"by a QR code", "", "QR", "2 hours", "order"},
		{"without anything", "", "", "2 hours", "order"},
		{"a pay link", "PayLink", "its own id", nil, "link"},
		{"a pay link that expires", "PayLink", "its own id", "7 days", "link"},
		{"by the API with a reference", "", "INV-2041", nil, "link"},
	}
	id := func(when string, i int) string { return when + "-transaction-number-" + string(rune('0'+i)) }
	for i, k := range kinds {
		write("client_code", id("old", i), k.source, k.ref, k.expires)
	}
	must.NoError(t, db.Migrate(t.Context(), pool))
	for i, k := range kinds {
		write("shop_code", id("new", i), k.source, k.ref, k.expires)
		for _, when := range []string{"old", "new"} {
			check.Equal(t, dbtest.Value[string](t, pool, "SELECT kind FROM transaction WHERE id = $1", id(when, i)), k.want,
				"%s, written by the previous version (%s migration)", k.name, when)
		}
	}
}
