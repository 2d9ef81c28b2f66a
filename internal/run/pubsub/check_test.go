package pubsub_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/pubsub"
)

func TestEventsOfAnotherDatabaseAreMissed(t *testing.T) {
	t.Parallel()
	here, other := dbtest.Pool(t), dbtest.Pool(t)
	check.NoError(t, pubsub.Check(t.Context(), here, here.Config().ConnConfig), "events of the same database")
	check.ErrorIs(t, pubsub.Check(t.Context(), here, other.Config().ConnConfig), pubsub.ErrNotListening, "events of another database")
}
