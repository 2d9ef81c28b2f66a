package frontpage

import (
	"context"
	"crypto/rand"
	"strconv"
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
	pool   *pgxpool.Pool
	studio *picture.Studio
}

// New returns the Store on pool. studio re-encodes the pictures of slides.
func New(pool *pgxpool.Pool, studio *picture.Studio) *Store { return &Store{pool, studio} }

// Entries lists the navigation in its order, hidden entries too.
func (s *Store) Entries(ctx context.Context) ([]Entry, error) { return db.New(s.pool).SiteNavList(ctx) }

// Slides lists the slides in their order.
func (s *Store) Slides(ctx context.Context) ([]Slide, error) {
	return db.New(s.pool).SiteSlideList(ctx)
}

// SaveEntry adds or changes a checked entry. by is the editor's email. Errors: frontpage.ErrChanged, frontpage.ErrFull.
func (s *Store) SaveEntry(ctx context.Context, by string, e Entry) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := queries.SiteNavLock(ctx)
		switch {
		case err != nil:
			return "", "", err
		case e.ID == "" && len(ids) >= Most:
			return "", "", ErrFull
		case e.ID == "":
			return "navigation entry added", e.Name + " " + e.Url, queries.SiteNavAdd(ctx, strings.ToLower(rand.Text()), e.Name, e.Url)
		}
		n, err := queries.SiteNavSave(ctx, db.SiteNavSaveParams{ID: e.ID, Name: e.Name, OldSite: e.Url, Revision: e.Revision})
		return "navigation entry changed", e.Name + " " + e.Url, changed(n, err)
	})
}

// SaveSlide adds or changes a checked slide, as SaveEntry does.
func (s *Store) SaveSlide(ctx context.Context, by string, slide Slide) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := queries.SiteSlideLock(ctx)
		switch {
		case err != nil:
			return "", "", err
		case slide.ID == 0 && len(ids) >= Most:
			return "", "", ErrFull
		case slide.ID == 0:
			_, err := queries.SiteSlideAdd(ctx, slide.Title, slide.SubTitle, slide.Picture)
			return "slide added", slide.Title, err
		}
		n, err := queries.SiteSlideSave(ctx, db.SiteSlideSaveParams{
			ID: slide.ID, Title: slide.Title, SubTitle: slide.SubTitle, Picture: slide.Picture, Revision: slide.Revision,
		})
		return "slide changed", slide.Title, changed(n, err)
	})
}

// RemoveEntry removes an entry that nobody has changed since it was read. Errors: frontpage.ErrChanged.
func (s *Store) RemoveEntry(ctx context.Context, by string, e Entry) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		n, err := queries.SiteNavRemove(ctx, e.ID, e.Revision)
		return "navigation entry removed", e.Name, changed(n, err)
	})
}

// RemoveSlide removes a slide that nobody has changed since it was read. Errors: frontpage.ErrChanged.
func (s *Store) RemoveSlide(ctx context.Context, by string, slide Slide) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		n, err := queries.SiteSlideRemove(ctx, slide.ID, slide.Revision)
		return "slide removed", slide.Title, changed(n, err)
	})
}

// MoveEntry moves an entry one place up or down.
func (s *Store) MoveEntry(ctx context.Context, by, id string, up bool) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := queries.SiteNavLock(ctx)
		moved, differs := Move(ids, id, up)
		if err != nil || !differs {
			return "", "", err
		}
		return "navigation entry moved", id, queries.SiteNavArrange(ctx, moved)
	})
}

// MoveSlide moves a slide one place up or down.
func (s *Store) MoveSlide(ctx context.Context, by string, id int64, up bool) error {
	return s.change(ctx, by, func(queries *db.Queries) (done, what string, err error) {
		ids, err := queries.SiteSlideLock(ctx)
		moved, differs := Move(ids, id, up)
		if err != nil || !differs {
			return "", "", err
		}
		return "slide moved", strconv.FormatInt(id, 10), queries.SiteSlideArrange(ctx, moved)
	})
}

// change runs work in a transaction and records the action that work returns in the audit log, unless it is empty.
func (s *Store) change(ctx context.Context, by string, work func(*db.Queries) (done, what string, err error)) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
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
