package menustore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"forecourt/db"
	"forecourt/internal/menu"
	"forecourt/internal/shop"
)

// Outcome is the result of an edit. The edit was stored if it has no problems and no conflict.
type Outcome[T any] struct {
	Kept     T // as stored or, if it was not, as typed, with others' changes merged in
	Problems menu.Problems
	Both     []string // fields that another editor changed to something else
	Theirs   T        // as the draft has it, if Both is not empty
	Gone     bool     // another editor removed it meanwhile
	By       string   // who changed the draft last
}

// Refused reports whether the edit was not stored.
func (o Outcome[T]) Refused() bool { return len(o.Problems) > 0 || len(o.Both) > 0 || o.Gone }

// SaveItem stores an item, or a new one if its ID is 0. was is the item as the editor first saw it. If another editor changed other
// fields of it, both changes are kept. sure puts back an item that was removed. Errors: shop.ErrMissing, shop.ErrRole.
func (s *Studio) SaveItem(ctx context.Context, by shop.Person, code string, was, mine menu.Entry, sure bool) (out Outcome[menu.Entry], err error) {
	err = s.change(ctx, by, code, func(d *draft) (string, string, error) {
		out = Outcome[menu.Entry]{Kept: mine, By: d.by}
		have, in := d.Item(mine.ID)
		switch {
		case mine.ID != 0 && have == nil:
			if out.Gone = !sure; out.Gone {
				return "", "", nil
			}
			out.Kept.ID = 0 // its row is found again by its name
		case mine.ID != 0:
			out.Theirs = menu.Entry{Item: *have, Category: in.ID}
			if out.Kept, out.Both = menu.MergeEntry(was, mine, out.Theirs); len(out.Both) > 0 {
				return "", "", nil
			}
		}
		out.Kept.Item, out.Problems = d.CheckItem(out.Kept.Item, d.locations)
		if d.Category(out.Kept.Category) == nil {
			out.Problems["category"] = menu.Missing
		}
		if len(out.Problems) > 0 {
			return "", "", nil
		}
		before := d.Clone()
		d.PutItem(out.Kept.Item, out.Kept.Category)
		return changed(&before, d)
	})
	return out, err
}

// SaveGroup is like SaveItem for an option group.
func (s *Studio) SaveGroup(ctx context.Context, by shop.Person, code string, was, mine menu.Group, sure bool) (out Outcome[menu.Group], err error) {
	err = s.change(ctx, by, code, func(d *draft) (string, string, error) {
		out = Outcome[menu.Group]{Kept: mine, By: d.by}
		have := d.Group(mine.ID)
		switch {
		case mine.ID != 0 && have == nil:
			if out.Gone = !sure; out.Gone {
				return "", "", nil
			}
			out.Kept.ID = 0
		case mine.ID != 0:
			out.Theirs = *have
			if out.Kept, out.Both = menu.MergeGroup(was, mine, out.Theirs); len(out.Both) > 0 {
				return "", "", nil
			}
		}
		keepChoices(&out.Kept, have)
		if out.Kept, out.Problems = d.CheckGroup(out.Kept); len(out.Problems) > 0 {
			return "", "", nil
		}
		before := d.Clone()
		d.PutGroup(out.Kept)
		return changed(&before, d)
	})
	return out, err
}

// keepChoices leaves only those ids of choices that the group has.
func keepChoices(g, have *menu.Group) {
	known := map[int64]bool{}
	if have != nil {
		for _, c := range have.Choices {
			known[c.ID] = true
		}
	}
	for i := range g.Choices {
		if c := &g.Choices[i]; !known[c.ID] {
			c.ID = 0
		} else {
			delete(known, c.ID)
		}
	}
}

// SaveCategory stores a category's name and hours, or a new category if its ID is 0. was shows whether another editor changed the category.
func (s *Studio) SaveCategory(ctx context.Context, by shop.Person, code string, was, mine menu.Category) (out Outcome[menu.Category], err error) {
	err = s.change(ctx, by, code, func(d *draft) (string, string, error) {
		out = Outcome[menu.Category]{Kept: mine, By: d.by}
		have := d.Category(mine.ID)
		switch {
		case mine.ID != 0 && have == nil:
			out.Gone = true
			return "", "", nil
		case mine.ID != 0:
			out.Theirs = *have
			if out.Kept, out.Both = menu.MergeCategory(was, mine, *have); len(out.Both) > 0 {
				return "", "", nil
			}
		}
		if out.Kept, out.Problems = d.CheckCategory(out.Kept); len(out.Problems) > 0 {
			return "", "", nil
		}
		before := d.Clone()
		if have == nil {
			d.Categories = append(d.Categories, out.Kept)
		} else {
			have.Name, have.Hours = out.Kept.Name, out.Kept.Hours
		}
		return changed(&before, d)
	})
	return out, err
}

// Arrange changes the order of the draft, or takes things out of it.
func (s *Studio) Arrange(ctx context.Context, by shop.Person, code string, work func(*menu.Menu)) error {
	return s.change(ctx, by, code, func(d *draft) (string, string, error) {
		before := d.Clone()
		work(&d.Menu)
		return changed(&before, d)
	})
}

// RemoveItem removes an item from the draft. If the item has changed since was, it stays, and RemoveItem returns it as it is now.
func (s *Studio) RemoveItem(ctx context.Context, by shop.Person, code string, was menu.Entry) (theirs *menu.Entry, err error) {
	err = s.change(ctx, by, code, func(d *draft) (string, string, error) {
		have, in := d.Item(was.ID)
		if have == nil {
			return "", "", nil
		}
		now := menu.Entry{Item: *have, Category: in.ID}
		if !same(was.Item, now.Item) {
			theirs = &now
			return "", "", nil
		}
		before := d.Clone()
		d.RemoveItem(was.ID)
		return changed(&before, d)
	})
	return theirs, err
}

// Take makes a menu from a file the draft. revision is that of the draft with which the person compared it. Errors: ErrChanged,
// shop.ErrMissing, shop.ErrRole.
func (s *Studio) Take(ctx context.Context, by shop.Person, code string, m menu.Menu, revision int64) (faults []menu.Fault, err error) {
	err = s.change(ctx, by, code, func(d *draft) (string, string, error) {
		if d.revision != revision {
			return "", "", ErrChanged
		}
		before := d.Clone()
		m = m.Adopt(before)
		if d.Menu, faults = m.Check(d.locations); len(faults) > 0 {
			return "", "", nil
		}
		if faults, err = CheckPictures(ctx, d.queries, code, d.Menu, before); err != nil || len(faults) > 0 {
			return "", "", err
		}
		_, detail, err := changed(&before, d)
		return "menu imported", detail, err
	})
	return faults, err
}

// CheckPictures returns the faults of items with pictures that the shop does not have and that present, its menu so far, does not show either.
// A picture of another shop is gone once that shop drops it.
func CheckPictures(ctx context.Context, queries *db.Queries, code string, m, present menu.Menu) ([]menu.Fault, error) {
	shown := present.Pictures()
	added := slices.DeleteFunc(m.Pictures(), func(address string) bool { return slices.Contains(shown, address) })
	if len(added) == 0 {
		return nil, nil
	}
	foreign, err := queries.PicturesForeign(ctx, added, code)
	return m.RefusePictures(foreign), err
}

// CheckPictures does the same for a menu that is not taken yet.
func (s *Studio) CheckPictures(ctx context.Context, code string, m, present menu.Menu) ([]menu.Fault, error) {
	return CheckPictures(ctx, s.queries, code, m, present)
}

// changed returns the audit log's words for a change of the draft, none if nothing changed. They name no prices.
func changed(before *menu.Menu, d *draft) (action, detail string, err error) {
	changes := menu.Compare(before, &d.Menu, "")
	if len(changes) == 0 {
		return "", "", nil
	}
	return "menu draft changed", Summary(changes), nil
}

// mostSummed is how many changes a summary names.
const mostSummed = 5

// Summary says in one line what changed.
func Summary(changes []menu.Change) string {
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

func same(a, b menu.Item) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
