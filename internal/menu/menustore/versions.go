package menustore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/menu"
	"forecourt/internal/shop"
)

// Version is a menu that guests have seen, or will see at a time.
type Version struct {
	No        int32
	By        string // "" for what was there before the first version
	Origin    string // its origin: "" for the draft, "before", "import", "demo", "version 3"
	MadeAt    time.Time
	Due       *time.Time // nil if it was published at once
	Published *time.Time // nil while it waits for its time
	Now       bool       // guests see it
}

// Versions lists the latest versions of a shop's menu, newest first, after those that still wait for their time.
func (s *Studio) Versions(ctx context.Context, code string) ([]Version, error) {
	rows, err := s.queries.MenuVersionList(ctx, code)
	list, now := make([]Version, len(rows)), false
	for i, row := range rows {
		list[i] = Version{No: row.No, By: row.MadeBy, Origin: row.Origin, MadeAt: row.MadeAt, Due: row.DueAt, Published: row.PublishedAt}
		list[i].Now = !now && row.PublishedAt != nil
		now = now || list[i].Now
	}
	return list, err
}

// Version returns the menu of a version. Errors: ErrMissing.
func (s *Studio) Version(ctx context.Context, code string, no int32) (menu.Menu, error) {
	return version(ctx, s.queries, code, no)
}

func version(ctx context.Context, queries *db.Queries, code string, no int32) (m menu.Menu, err error) {
	row, err := queries.MenuVersionGet(ctx, code, no)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, ErrMissing
	}
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(row.Body, &m)
}

// Restore makes an earlier version the draft and, with atOnce, also publishes it. Errors: ErrMissing, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Restore(ctx context.Context, by shop.Person, code string, no int32, atOnce bool) error {
	return s.shops.Change(ctx, by, code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		queries := db.New(tx)
		done := shop.Change{Action: "menu version brought back", Detail: fmt.Sprintf("version %d as draft", no)}
		if err := queries.MenuLock(ctx, code); err != nil {
			return done, err
		}
		m, err := version(ctx, queries, code, no)
		if err != nil {
			return done, err
		}
		d, err := lock(ctx, queries, code, by.Email)
		if err != nil {
			return done, err
		}
		d.Menu = m
		if err := d.save(ctx, by.Email); err != nil || !atOnce {
			return done, err
		}
		done.Detail = fmt.Sprintf("version %d at once", no)
		return done, Put(ctx, tx, code, m, by.Email, fmt.Sprintf("version %d", no))
	})
}

// Cancel ends a version that waits for its time. Errors: ErrMissing, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Cancel(ctx context.Context, by shop.Person, code string, no int32) error {
	return s.shops.Change(ctx, by, code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		n, err := db.New(tx).MenuVersionCancel(ctx, code, no)
		if err == nil && n == 0 {
			err = ErrMissing
		}
		return shop.Change{Action: "menu schedule cancelled", Detail: fmt.Sprintf("version %d", no)}, err
	})
}
