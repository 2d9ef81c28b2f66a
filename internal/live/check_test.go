package live_test

import (
	"errors"
	"testing"

	"forecourt/internal/dbtest"
	"forecourt/internal/live"
)

func TestEventsOfAnotherDatabaseAreMissed(t *testing.T) {
	t.Parallel()
	here, other := dbtest.Pool(t), dbtest.Pool(t)
	if err := live.Check(t.Context(), here, here.Config().ConnConfig); err != nil {
		t.Errorf("events of the same database: %v", err)
	}
	if err := live.Check(t.Context(), here, other.Config().ConnConfig); !errors.Is(err, live.ErrDeaf) {
		t.Errorf("events of another database: %v", err)
	}
}
