package notice

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
)

const (
	// numberEvery is how long an event may wait for its number.
	numberEvery = time.Second
	// atOnce is how many events one transaction numbers.
	atOnce = 1000
	// lockKey is the key of the lock that lets one process number at a time: "event".
	lockKey = 0x6576656e74
)

// Numbered is an event that just got its number.
type Numbered struct {
	Shop   string // code of the business
	Kind   state.Event
	Number int64
}

// Numberer gives events their numbers.
type Numberer struct {
	pool *pgxpool.Pool
	told func(context.Context, pgx.Tx, []Numbered) error
	log  *slog.Logger
}

// NewNumberer returns the numberer of a database. It calls told, unless nil, for each batch, within the transaction that numbers the batch,
// and so exactly once for each event.
func NewNumberer(pool *pgxpool.Pool, told func(context.Context, pgx.Tx, []Numbered) error, log *slog.Logger) *Numberer {
	return &Numberer{pool, told, log}
}

// Run numbers events until ctx ends. Several processes may run it on one database.
func (n *Numberer) Run(ctx context.Context) {
	tick := time.NewTicker(numberEvery)
	defer tick.Stop()
	for {
		if _, err := n.Number(ctx); err != nil && ctx.Err() == nil {
			n.log.WarnContext(ctx, "events cannot be numbered", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Number numbers all committed events and returns how many there were. It does nothing while another process is numbering.
func (n *Numberer) Number(ctx context.Context) (total int, err error) {
	for {
		some, err := n.batch(ctx)
		total += some
		if err != nil || some < atOnce {
			return total, err
		}
	}
}

func (n *Numberer) batch(ctx context.Context) (count int, err error) {
	err = pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		mine, err := queries.ShopEventLock(ctx, lockKey)
		if err != nil || !mine {
			return err
		}
		rows, err := queries.ShopEventNumber(ctx, atOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		count = len(rows)
		if n.told == nil {
			return nil
		}
		list := make([]Numbered, len(rows))
		for i, row := range rows {
			list[i] = Numbered{row.ShopCode, row.Kind, row.Number}
		}
		return n.told(ctx, tx, list)
	})
	if err != nil {
		count = 0
	}
	return count, err
}
