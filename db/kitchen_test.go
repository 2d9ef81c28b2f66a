package db_test

import (
	"testing"

	"forecourt/db"
	"forecourt/internal/dbtest"
)

// A kitchen's screens look every second, and each commit waits for the disk.
func TestALookOfAKitchenWithinTwentySecondsWritesNothing(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	look := func(before string) (row string) {
		t.Helper()
		dbtest.Exec(t, pool, before)
		if err := db.New(pool).KitchenSeen(t.Context(), "panezski"); err != nil {
			t.Fatal(err)
		}
		if err := pool.QueryRow(t.Context(), "SELECT xmin || ' ' || seen_at FROM kitchen_screen WHERE client_code = 'panezski'").Scan(&row); err != nil {
			t.Fatal(err)
		}
		return row
	}
	first := look("SELECT")
	if next := look("SELECT"); next != first {
		t.Errorf("the next look changed %q to %q", first, next)
	}
	look("UPDATE kitchen_screen SET seen_at = now() - interval '21 seconds'")
	if recent := dbtest.Value[bool](t, pool, "SELECT seen_at > now() - interval '5 seconds' FROM kitchen_screen"); !recent {
		t.Errorf("a look after 21 s is noted: %t", recent)
	}
}
