package frontpage

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/run/picture"
)

// Subject names the navigation and the slides in the audit log.
const Subject = "site"

// Store stores the navigation and the slides.
type Store struct {
	Entries *Parts[Entry]
	Slides  *Parts[Slide]

	pool   *pgxpool.Pool
	studio *picture.Studio
}

// Parts are the entries of the navigation, or the slides.
type Parts[T any] struct {
	pool *pgxpool.Pool
	what string // each is, in the audit log
	// Key points to the id of a part, which is empty for a new one, and to its revision.
	Key      func(*T) (id *string, revision *int32)
	name     func(T) string
	contents func(T) string
	list     func(*db.Queries, context.Context) ([]T, error)
	lock     func(*db.Queries, context.Context) (ids []string, err error)
	add      func(*db.Queries, context.Context, T) error
	save     func(*db.Queries, context.Context, T) (int64, error)
	remove   func(*db.Queries, context.Context, string, int32) (int64, error)
	arrange  func(*db.Queries, context.Context, []string) error
}

// New returns the Store on pool. studio re-encodes the pictures of slides.
func New(pool *pgxpool.Pool, studio *picture.Studio) *Store {
	title := func(s Slide) string { return s.Title }
	return &Store{pool: pool, studio: studio, Entries: &Parts[Entry]{
		pool: pool, what: "navigation entry", Key: func(e *Entry) (*string, *int32) { return &e.ID, &e.Revision },
		name: func(e Entry) string { return e.Name }, contents: func(e Entry) string { return e.Name + " " + e.Url },
		list: (*db.Queries).SiteNavList, lock: (*db.Queries).SiteNavLock,
		add: func(q *db.Queries, ctx context.Context, e Entry) error {
			return q.SiteNavAdd(ctx, strings.ToLower(rand.Text()), e.Name, e.Url)
		},
		save: func(q *db.Queries, ctx context.Context, e Entry) (int64, error) {
			return q.SiteNavSave(ctx, db.SiteNavSaveParams{ID: e.ID, Name: e.Name, OldSite: e.Url, Revision: e.Revision})
		},
		remove: (*db.Queries).SiteNavRemove, arrange: (*db.Queries).SiteNavArrange,
	}, Slides: &Parts[Slide]{
		pool: pool, what: "slide", Key: func(s *Slide) (*string, *int32) { return &s.ID, &s.Revision },
		name: title, contents: title, list: (*db.Queries).SiteSlideList, lock: (*db.Queries).SiteSlideLock,
		add: func(q *db.Queries, ctx context.Context, s Slide) error {
			return q.SiteSlideAdd(ctx, s.Title, s.SubTitle, s.Picture)
		},
		save: func(q *db.Queries, ctx context.Context, s Slide) (int64, error) {
			return q.SiteSlideSave(ctx, db.SiteSlideSaveParams{
				ID: s.ID, Title: s.Title, SubTitle: s.SubTitle, Picture: s.Picture, Revision: s.Revision,
			})
		},
		remove: (*db.Queries).SiteSlideRemove, arrange: (*db.Queries).SiteSlideArrange,
	}}
}

// List returns all in their order, hidden ones too.
func (p *Parts[T]) List(ctx context.Context) ([]T, error) { return p.list(db.New(p.pool), ctx) }

// Save adds or changes a checked part. by is the editor's email. Errors: ErrChanged, ErrFull.
func (p *Parts[T]) Save(ctx context.Context, by string, one T) error {
	return change(ctx, p.pool, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := p.lock(queries, ctx)
		id, _ := p.Key(&one)
		switch {
		case err != nil:
			return "", "", err
		case *id == "" && len(ids) >= Most:
			return "", "", ErrFull
		case *id == "":
			return p.what + " added", p.contents(one), p.add(queries, ctx, one)
		}
		n, err := p.save(queries, ctx, one)
		return p.what + " changed", p.contents(one), changed(n, err)
	})
}

// Remove removes a part that nobody has changed since it was read. Errors: ErrChanged.
func (p *Parts[T]) Remove(ctx context.Context, by string, one T) error {
	return change(ctx, p.pool, by, func(queries *db.Queries) (done, what string, err error) {
		id, revision := p.Key(&one)
		n, err := p.remove(queries, ctx, *id, *revision)
		return p.what + " removed", p.name(one), changed(n, err)
	})
}

// Move moves a part one place up or down.
func (p *Parts[T]) Move(ctx context.Context, by, id string, up bool) error {
	return change(ctx, p.pool, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := p.lock(queries, ctx)
		moved, differs := Move(ids, id, up)
		if err != nil || !differs {
			return "", "", err
		}
		return p.what + " moved", id, p.arrange(queries, ctx, moved)
	})
}

// change runs work in a transaction and records the action that work returns in the audit log, unless it is empty.
func change(ctx context.Context, pool *pgxpool.Pool, by string, work func(*db.Queries) (done, what string, err error)) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		done, what, err := work(queries)
		if err != nil || done == "" {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: done, Subject: Subject, Reason: what})
	})
}

func changed(n int64, err error) error {
	if err == nil && n == 0 {
		return ErrChanged
	}
	return err
}
