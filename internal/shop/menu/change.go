package menu

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/shop/shop"
)

// Outcome is the result of saving a part of the draft. It was stored if it has neither problems nor a clash.
type Outcome[T any] struct {
	Kept     T // in tidy form, as stored or as it would be
	Problems Problems
	Clash    *Conflict[T]
}

// Refused reports whether the edit was not stored.
func (o Outcome[T]) Refused() bool { return len(o.Problems) > 0 || o.Clash != nil }

// Conflict is somebody else's change of the same part after the revision that the person saw.
type Conflict[T any] struct {
	By       string // address of the account; "" if it is gone
	At       time.Time
	Theirs   *T    // as the draft has it; nil if it was removed
	Draft    Menu  // which has it
	Revision int64 // of the draft
}

// Save stores a part in the newest draft, or a new one if its ID is 0. revision is that of the draft that the person saw. What others
// changed elsewhere in it stays. Errors: ErrMissing, shop.ErrMissing, shop.ErrRole.
func Save[T any](
	ctx context.Context, s *Studio, by shop.Person, code string, p Part[T], mine T, revision int64,
) (out Outcome[T], err error) {
	err = s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		id := *p.id(&mine)
		theirs := p.find(&d.Menu, id)
		out.Kept = mine
		if theirs == nil {
			*p.id(&out.Kept) = 0 // one that was removed is put back: its row is found again by its name
		}
		if out.Kept, out.Problems = p.check(d, out.Kept); len(out.Problems) > 0 {
			return nil
		}
		if id != 0 && (theirs == nil || text(*theirs) != text(out.Kept)) {
			if out.Clash, err = clash(ctx, d, p.kind, id, theirs, revision); err != nil || out.Clash != nil {
				return err
			}
		}
		p.put(&d.Menu, out.Kept)
		return nil
	})
	return out, err
}

// Remove removes a part from the draft, a category with its items, unless it has changed since the revision that the person saw.
// Errors: shop.ErrMissing, shop.ErrRole.
func Remove[T any](ctx context.Context, s *Studio, by shop.Person, code string, p Part[T], id, revision int64) (c *Conflict[T], err error) {
	err = s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		theirs := p.find(&d.Menu, id)
		if theirs == nil {
			return nil
		}
		if c, err = clash(ctx, d, p.whole, id, theirs, revision); err != nil || c != nil {
			return err
		}
		p.remove(&d.Menu, id)
		return nil
	})
	return c, err
}

// clash returns the latest change of a part after a revision; nil if there is none. Errors: ErrMissing for a part that the shop never had.
func clash[T any](ctx context.Context, d *draft, kind string, id int64, theirs *T, revision int64) (*Conflict[T], error) {
	last, err := d.queries.MenuEditGet(ctx, db.MenuEditGetParams{Code: d.code, Kind: kind, Part: id, Seen: revision, Kept: keptEdits})
	switch {
	case errors.Is(err, pgx.ErrNoRows) && theirs == nil:
		return nil, ErrMissing
	case errors.Is(err, pgx.ErrNoRows) || err == nil && last.Revision <= revision:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &Conflict[T]{By: last.By, At: last.ChangedAt, Theirs: theirs, Draft: d.Clone(), Revision: d.revision}, nil
}

// Arrange changes the order of the draft.
func (s *Studio) Arrange(ctx context.Context, by shop.Person, code string, work func(*Menu)) error {
	return s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		work(&d.Menu)
		return nil
	})
}

// Take makes a menu the draft. It has the ids of the draft of a revision, and has passed its Check and CheckPictures. Errors: ErrChanged if
// the draft has another revision by now, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Take(ctx context.Context, by shop.Person, code string, m Menu, revision int64) error {
	return s.change(ctx, by, code, "menu imported", func(d *draft) error {
		if d.revision != revision {
			return ErrChanged
		}
		d.Menu = m
		return nil
	})
}

// CheckPictures returns the faults of items with pictures that the shop does not have and that present, its menu so far, does not show
// either. A picture of another shop is gone once that shop drops it.
func (s *Studio) CheckPictures(ctx context.Context, code string, m, present Menu) ([]Fault, error) {
	shown := present.Pictures()
	added := slices.DeleteFunc(m.Pictures(), func(address string) bool { return slices.Contains(shown, address) })
	if len(added) == 0 {
		return nil, nil
	}
	foreign, err := s.queries.PicturesForeign(ctx, added, code)
	return m.RefusePictures(foreign), err
}

// mostSummed is how many changes a summary names.
const mostSummed = 5

// Summary says in one line what changed.
func Summary(changes []Change) string {
	var parts []string
	for n, c := range changes {
		if n == mostSummed {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "; ")
}
