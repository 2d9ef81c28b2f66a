package menu

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// ErrForeign means that a menu names an id of another shop.
var ErrForeign = fault.New(fault.Invalid, "an id of the menu belongs to another shop")

// ErrChanged means that the draft was changed meanwhile.
var ErrChanged = fault.New(fault.Conflict, "the draft has changed")

// ErrFaulty means that a draft does not pass its Check.
var ErrFaulty = fault.New(fault.Invalid, "the draft has faults")

// Put makes a menu from elsewhere the one that guests see, in the caller's transaction, and keeps it as a version. The menu must have
// passed its Check. Its parts get the ids of the same parts in the present menu, or new ones; parts that it lacks are hidden; whatever is
// sold out stays so.
func Put(ctx context.Context, tx pgx.Tx, code string, m Menu, by, origin string) error {
	queries := db.New(tx)
	if err := queries.MenuLock(ctx, code); err != nil {
		return err
	}
	now, err := open(ctx, queries, code)
	if err != nil {
		return err
	}
	m = m.Adopt(now.Published)
	if err := number(ctx, queries, code, &m); err != nil {
		return err
	}
	_, err = publish(ctx, queries, code, m, by, origin)
	return err
}

// publish shows a menu to guests and keeps it as a version, whose number it returns.
func publish(ctx context.Context, queries *db.Queries, code string, m Menu, by, origin string) (no int32, err error) {
	body := []byte(text(m))
	if err := queries.MenuVersionFirst(ctx, code); err != nil {
		return 0, err
	}
	if err := show(ctx, queries, code, m, body); err != nil {
		return 0, err
	}
	return queries.MenuVersionAdd(ctx, db.MenuVersionAddParams{Code: code, Body: body, MadeBy: by, Origin: origin})
}

// show writes a menu into the tables that guests' pages read.
func show(ctx context.Context, queries *db.Queries, code string, m Menu, body []byte) error {
	for _, write := range []func(context.Context, string, []byte) error{
		queries.MenuPutCategoryNames, queries.MenuPutCategories, queries.MenuPutItemNames, queries.MenuPutItems, queries.MenuDropItems,
		queries.MenuDropCategories, queries.MenuPutGroups, queries.MenuPutChoices, queries.MenuDropChoices, queries.MenuDropGroups,
		queries.MenuDropAsked, queries.MenuPutAsked,
	} {
		if err := write(ctx, code, body); err != nil {
			return err
		}
	}
	want := len(m.Categories) + m.Count() + len(m.Groups)
	for _, g := range m.Groups {
		want += len(g.Choices)
	}
	n, err := queries.MenuCountPut(ctx, body, code)
	if err == nil && int(n) != want {
		return ErrForeign
	}
	return err
}

// Publish makes the draft the menu that guests see, if it passes its Check. revision is that of the draft that the person saw.
// Errors: ErrFaulty, ErrChanged, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Publish(ctx context.Context, by shop.Person, code string, revision int64) error {
	return s.shops.Change(ctx, by, code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		queries := db.New(tx)
		if err := queries.MenuLock(ctx, code); err != nil {
			return shop.Change{}, err
		}
		d, err := lock(ctx, queries, code, by.Email)
		if err != nil {
			return shop.Change{}, err
		}
		if _, faults := d.Draft.Check(d.Locations); len(faults) > 0 {
			return shop.Change{}, ErrFaulty
		}
		if d.Revision != revision {
			return shop.Change{}, ErrChanged
		}
		no, err := publish(ctx, queries, code, d.Draft, by.Email, "")
		return shop.Change{Action: "menu published", Detail: fmt.Sprintf("version %d", no)}, err
	})
}
