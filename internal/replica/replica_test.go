package replica_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/replica"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A replica that follows is in a long test of cmd/forecourt: the PostgreSQL inside cannot stream.
func TestWhatIsNoReplicaIsNotRead(t *testing.T) {
	t.Parallel()
	primary := dbtest.Pool(t)
	for name, url := range map[string]string{"the database itself": dbtest.URL(t), "nobody": "postgres://127.0.0.1:1/x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := replica.Open(t.Context(), replica.Config{URL: url, Primary: primary, MaxConns: 1, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Check(t.Context()); err == nil || errors.Is(err, replica.ErrNoReplica) != (name == "the database itself") {
				t.Errorf("the check says %v", err)
			}
			if r.Read(t.Context(), func(context.Context, db.DBTX) error { return nil }) {
				t.Error("it was read")
			}
			if here, elsewhere := r.Reads(); here != 0 || elsewhere != 1 || r.Behind() <= replica.Bound {
				t.Errorf("%d reads here, %d elsewhere, %s behind", here, elsewhere, r.Behind())
			}
		})
	}
}

func TestNoReplicaReadsNothing(t *testing.T) {
	t.Parallel()
	var none *replica.Replica
	if none.Read(t.Context(), func(context.Context, db.DBTX) error { return nil }) {
		t.Error("it was read")
	}
}
