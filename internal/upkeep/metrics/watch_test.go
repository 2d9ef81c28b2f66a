package metrics

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestManyReadersShareOneStatement(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	w := newWatch(pool)
	orphans := func() int64 {
		row, err := w.look()
		check.Must(t, err)
		return row.Orphans
	}
	check.MustEqual(t, orphans(), 0, "orphans")
	dbtest.Exec(t, pool, `INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode)
		VALUES ('an-orphan-of-22-letters', 'panezski', 'processing', 100, 'AUD', 'AU', true)`)
	w.read = time.Now().Add(time.Hour) // stays fresh, however slow this test is
	check.Equal(t, orphans(), 0, "orphans of the database was asked again at once and")
	w.read = time.Now().Add(-watchFor)
	check.Equal(t, orphans(), 1, "orphans after a while")
}
