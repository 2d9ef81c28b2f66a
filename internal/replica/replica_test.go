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

// A long test of cmd/forecourt covers a replica that follows: the embedded PostgreSQL cannot stream.
func TestOnlyAReplicaIsRead(t *testing.T) {
	t.Parallel()
	primary := dbtest.Pool(t)
	for name, url := range map[string]string{"the database itself": dbtest.URL(t), "no server": "postgres://127.0.0.1:1/x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := replica.Open(t.Context(), replica.Config{URL: url, Primary: primary, MaxConns: 1, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.Check(t.Context()); err == nil || errors.Is(err, replica.ErrNoReplica) != (name == "the database itself") {
				t.Errorf("Check: %v", err)
			}
			if r.Read(t.Context(), func(context.Context, db.DBTX) error { return nil }) {
				t.Error("Read used a database that is not a replica")
			}
			if here, elsewhere := r.Reads(); here != 0 || elsewhere != 1 || r.Behind() <= replica.Bound {
				t.Errorf("%d reads here, %d elsewhere, %s behind", here, elsewhere, r.Behind())
			}
		})
	}
}

func TestReadWithoutAReplica(t *testing.T) {
	t.Parallel()
	var none *replica.Replica
	if none.Read(t.Context(), func(context.Context, db.DBTX) error { return nil }) {
		t.Error("Read succeeded without a replica")
	}
}
