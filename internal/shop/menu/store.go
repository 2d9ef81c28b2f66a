package menu

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// Studio stores the menus of shops and their drafts.
type Studio struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shop.Shops
}

// New returns the menus kept in pool, for the teams of shops.
func New(pool *pgxpool.Pool, shops *shop.Shops) *Studio {
	return &Studio{pool, db.New(pool), shops}
}

// ErrMissing means that the menu has no such thing, or no longer.
var ErrMissing = fault.New(fault.NotFound, "no such part of the menu")

// State is the menu of a shop as its editors see it.
type State struct {
	Draft, Published Menu
	Revision         int64     // of the draft; 0 before its first change
	By               string    // who changed the draft last; "" if nobody did
	At               time.Time // when
	Locations        []string  // where the shop makes things
	Holidays         []string  // the names of its public holidays, for hours that are saved; nil allows any
	Currency         string    // of the prices
	SoldOut          []int64   // ids of the items that are sold out now
}

// Open returns the draft and the published menu of a shop.
func (s *Studio) Open(ctx context.Context, code string) (State, error) {
	return open(ctx, s.queries, code)
}

func open(ctx context.Context, queries *db.Queries, code string) (State, error) {
	row, err := queries.MenuState(ctx, code)
	if err != nil {
		return State{}, err
	}
	state := State{Revision: row.Revision, By: row.ChangedBy, At: row.ChangedAt, Currency: row.Currency, SoldOut: row.ItemsOut}
	if err := json.Unmarshal([]byte(row.Published), &state.Published); err != nil {
		return State{}, err
	}
	if err := json.Unmarshal([]byte(cmp.Or(row.Draft, row.Published)), &state.Draft); err != nil {
		return State{}, err
	}
	state.Locations, err = queries.ShopLocationList(ctx, code)
	return state, err
}

// keep reads which public holidays hours may name.
func (s *State) keep(ctx context.Context, queries *db.Queries, code string) error {
	names, err := queries.HolidayNameList(ctx, code, "", "")
	s.Holidays = append([]string{}, names...)
	return err
}

// Version is a menu that guests see or have seen: MadeBy is "" for what was there before the first version, Origin "" for the draft,
// "before" or "demo".
type Version = db.MenuVersionListRow

// Versions lists the latest versions of a shop's menu, newest first. Guests see the first one.
func (s *Studio) Versions(ctx context.Context, code string) ([]Version, error) {
	return s.queries.MenuVersionList(ctx, code)
}

// draft is the locked draft of a shop in a transaction. Its state lacks the published menu.
type draft struct {
	State
	queries *db.Queries
	code    string
	detail  string // for the audit log, in place of what changed
}

// change runs work on the locked draft of a shop and stores the result, unless nothing has changed. The audit log names no prices. Errors:
// shop.ErrMissing, shop.ErrRole, those of work.
func (s *Studio) change(ctx context.Context, by shop.Person, code, action string, work func(*draft) error) error {
	return s.shops.Change(ctx, by, code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		d, err := lock(ctx, db.New(tx), code, by.Email)
		if err != nil {
			return shop.Change{}, err
		}
		before := d.Draft.Clone()
		if err := work(d); err != nil {
			return shop.Change{}, err
		}
		changes := Compare(&before, &d.Draft, "")
		if len(changes) == 0 {
			return shop.Change{}, nil
		}
		return shop.Change{Action: action, Detail: cmp.Or(d.detail, Summary(changes))}, d.save(ctx, before, by)
	})
}

func lock(ctx context.Context, queries *db.Queries, code, by string) (*draft, error) {
	row, err := queries.MenuDraftLock(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		if err := queries.MenuDraftStart(ctx, code, by); err != nil {
			return nil, err
		}
		row, err = queries.MenuDraftLock(ctx, code)
	}
	if err != nil {
		return nil, err
	}
	d := &draft{State: State{Revision: row.Revision}, queries: queries, code: code}
	if d.Locations, err = queries.ShopLocationList(ctx, code); err != nil {
		return nil, err
	}
	if err := d.keep(ctx, queries, code); err != nil {
		return nil, err
	}
	return d, json.Unmarshal(row.Body, &d.Draft)
}
