package site

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"forecourt/db"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/site/frontpage"
)

// keptFor is how long the navigation is cached, and how long an unreachable database is left alone.
const keptFor = 3 * time.Second

// patience is how long a page waits for the database before it goes without the navigation, which is not worth a longer wait.
const patience = time.Second

// Navigation is the navigation at one moment. Requests share it, so nobody may change it.
type Navigation struct {
	Main   []frontpage.Entry
	Slides []frontpage.Slide
	Fees   settlement.Fees // of every shop
}

// Nav caches the navigation for a few seconds, since every page shows it.
type Nav struct {
	queries *db.Queries
	log     *slog.Logger
	reads   singleflight.Group
	mu      sync.Mutex
	kept    Navigation
	asked   time.Time
}

// NewNav returns a Nav that reads through conn and logs errors.
func NewNav(conn db.DBTX, log *slog.Logger) *Nav {
	return &Nav{queries: db.New(conn), log: log}
}

// Current returns the navigation, at most a few seconds old. While the database is away, it returns the last one that was read, or an empty
// one.
func (d *Nav) Current(ctx context.Context) Navigation {
	d.mu.Lock()
	kept, fresh := d.kept, time.Since(d.asked) < keptFor
	d.mu.Unlock()
	if fresh {
		return kept
	}
	// One request reads for all. The read must not fail for all if that request is cancelled.
	current, _, _ := d.reads.Do("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		read, err := d.read(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.asked = time.Now()
		if err != nil {
			d.log.WarnContext(ctx, "navigation not read", "error", err)
			return d.kept, nil
		}
		d.kept = read
		return read, nil
	})
	return current.(Navigation)
}

func (d *Nav) read(ctx context.Context) (read Navigation, err error) {
	if read.Main, err = d.queries.SiteNavList(ctx); err != nil {
		return Navigation{}, err
	}
	if read.Slides, err = d.queries.SiteSlideList(ctx); err != nil {
		return Navigation{}, err
	}
	read.Fees, err = settlement.FeesOf(ctx, d.queries, "")
	return read, err
}
