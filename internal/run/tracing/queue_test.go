package tracing_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/trace"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/tracing"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type errand struct{}

func (errand) Kind() string { return "errand" }

func TestAJobCarriesItsOrigin(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	client := tracing.NewQueue(pool)
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1, 2}, SpanID: trace.SpanID{3}, TraceFlags: trace.FlagsSampled})
	for name, test := range map[string]struct {
		ctx  context.Context
		want tracing.Origin
	}{
		"nowhere":   {t.Context(), tracing.Origin{}},
		"a request": {tracing.WithRequest(t.Context(), "R7F3A"), tracing.Origin{Request: "R7F3A"}},
		"a trace": {
			trace.ContextWithSpanContext(tracing.WithRequest(t.Context(), "R7F3A"), span),
			tracing.Origin{Request: "R7F3A", Trace: "00-01020000000000000000000000000000-0300000000000000-01"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var id int64
			err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
				inserted, err := client.InsertTx(test.ctx, tx, errand{}, &river.InsertOpts{Metadata: []byte(`{"kept": "yes"}`)})
				if err == nil {
					id = inserted.Job.ID
				}
				return err
			})
			check.Must(t, err)
			check.Equal(t, dbtest.Value[string](t, pool, "SELECT metadata->>'kept' FROM river_job WHERE id = $1", id), "yes", "the other metadata")
			job, err := client.JobGet(t.Context(), id) // as any process gets the job
			check.Must(t, err)
			check.Equal(t, tracing.OriginOf(tracing.Resumed(t.Context(), job)), test.want, "the origin")
		})
	}
}
