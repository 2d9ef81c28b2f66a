package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// A kitchen's screens look every second, and each commit waits for the disk.
func TestALookOfAKitchenWithinTwentySecondsWritesNothing(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	look := func(before string) (row string) {
		t.Helper()
		dbtest.Exec(t, pool, before)
		check.Must(t, db.New(pool).KitchenSeen(t.Context(), "panezski"))
		check.Must(t, pool.QueryRow(t.Context(), "SELECT xmin || ' ' || seen_at FROM kitchen_screen WHERE shop_code = 'panezski'").Scan(&row))
		return row
	}
	first := look("SELECT")
	check.Equal(t, look("SELECT"), first, "the next look changed")
	look("UPDATE kitchen_screen SET seen_at = now() - interval '21 seconds'")
	if recent := dbtest.Value[bool](t, pool, "SELECT seen_at > now() - interval '5 seconds' FROM kitchen_screen"); !recent {
		t.Errorf("a look after 21 s is noted: %t", recent)
	}
}
