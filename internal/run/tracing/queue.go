package tracing

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// NewQueue returns a client that takes jobs, which other processes may work, and works none. Each job carries the request and the trace in
// which it began, so that the log leads from a click to the letter that it caused.
func NewQueue(pool *pgxpool.Pool) *river.Client[pgx.Tx] {
	// PollOnly keeps NOTIFY out of the transactions that queue a job.
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		PollOnly: true, Hooks: []rivertype.Hook{river.HookInsertBeginFunc(carry)},
	})
	if err != nil {
		panic(err) // only a wrong configuration is an error
	}
	return client
}

// carry writes into a job the request and the trace in which it began. It does not change a job that began in neither.
func carry(ctx context.Context, job *rivertype.JobInsertParams) error {
	origin := OriginOf(ctx)
	if origin == (Origin{}) {
		return nil
	}
	about := map[string]any{}
	if len(job.Metadata) > 0 {
		if err := json.Unmarshal(job.Metadata, &about); err != nil {
			return err
		}
	}
	about["origin"] = origin
	var err error
	job.Metadata, err = json.Marshal(about)
	return err
}

// Resumed returns ctx with the request and the trace that a job began in, unchanged for a job that carries none.
func Resumed(ctx context.Context, job *rivertype.JobRow) context.Context {
	var about struct {
		Origin Origin `json:"origin"`
	}
	if err := json.Unmarshal(job.Metadata, &about); err != nil {
		return ctx
	}
	return about.Origin.Resume(ctx)
}
