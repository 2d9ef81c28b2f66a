package live_test

import (
	"testing"

	"forecourt/internal/check"
	"forecourt/internal/dbtest"
	"forecourt/internal/live"
)

func TestEventsOfAnotherDatabaseAreMissed(t *testing.T) {
	t.Parallel()
	here, other := dbtest.Pool(t), dbtest.Pool(t)
	check.NoError(t, live.Check(t.Context(), here, here.Config().ConnConfig), "events of the same database")
	check.ErrorIs(t, live.Check(t.Context(), here, other.Config().ConnConfig), live.ErrDeaf, "events of another database")
}
