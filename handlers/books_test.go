package handlers_test

import (
	"testing"

	"github.com/google/uuid"

	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// fillBooks makes a long table and a closing of the bakery.
func (c *cast) fillBooks(t *testing.T) {
	t.Helper()
	c.ids["EXPORT"], c.ids["CLOSING"] = uuid.NewString(), "test-1"
	dbtest.Exec(t, c.app.Pool, `INSERT INTO export (id, shop_code, account_id, requested_by, kind, test_mode, since, before, time_zone, after_at, done_at)
		SELECT $1, 'panezski', id, email, 'payments', true, now() - interval '1 day', now(), 'UTC', now(), now() FROM account WHERE email = $2`, c.ids["EXPORT"], demo.Email)
	dbtest.Exec(t, c.app.Pool, `INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by)
		VALUES ('panezski', true, 1, '2026-01-01', '2026-01-01', '2026-01-02', 'UTC', 'x', '', 'null', 'x', 'x')`)
}
