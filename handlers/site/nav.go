package site

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"forecourt/db"
)

// keptFor is how long the navigation is cached, and how long an unreachable database is left alone.
const keptFor = 3 * time.Second

// patience is how long a page waits for the database before it goes without the navigation, which is not worth a longer wait.
const patience = time.Second

// Navigation is the navigation at one moment. Requests share it, so nobody may change it.
type Navigation struct {
	Main   []NavEntry
	Slides []Slide
}

// NavEntry is an entry of the main list. Only entries with an OldSite address are shown (NAV-09).
type NavEntry struct{ ID, Name, OldSite string }

// Slide is a card of the carousel (LAND-02).
type Slide struct {
	Title, SubTitle string
	Picture         string // name of an asset; "" for none
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

func (d *Nav) read(ctx context.Context) (Navigation, error) {
	entries, err := d.queries.SiteNavList(ctx)
	if err != nil {
		return Navigation{}, err
	}
	slides, err := d.queries.SiteSlideList(ctx)
	if err != nil {
		return Navigation{}, err
	}
	var read Navigation
	for _, e := range entries {
		read.Main = append(read.Main, NavEntry{ID: e.ID, Name: e.Name, OldSite: e.OldSite})
	}
	for _, s := range slides {
		read.Slides = append(read.Slides, Slide{Title: s.Title, SubTitle: s.SubTitle, Picture: s.Picture})
	}
	return read, nil
}
