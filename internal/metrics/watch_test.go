package metrics

import (
	"testing"
	"time"

	"forecourt/internal/dbtest"
)

func TestManyReadersShareOneStatement(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	w := newWatch(pool)
	orphans := func() int64 {
		row, err := w.look()
		if err != nil {
			t.Fatal(err)
		}
		return row.Orphans
	}
	if n := orphans(); n != 0 {
		t.Fatalf("%d orphans", n)
	}
	dbtest.Exec(t, pool, `INSERT INTO transaction (id, client_code, status, amount_minor, currency, country_code, test_mode)
		VALUES ('an-orphan-of-22-letters', 'panezski', 'processing', 100, 'AUD', 'AU', true)`)
	w.read = time.Now().Add(time.Hour) // stays fresh, however slow this test is
	if n := orphans(); n != 0 {
		t.Errorf("the database was asked again at once and has %d orphans", n)
	}
	w.read = time.Now().Add(-watchFor)
	if n := orphans(); n != 1 {
		t.Errorf("%d orphans after a while, want 1", n)
	}
}
