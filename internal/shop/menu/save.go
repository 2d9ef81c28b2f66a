package menu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// Part is a kind of thing that is edited as a whole, by the operations that save and remove it.
type Part[T any] struct {
	Kind   string                // what a form of it shows
	Find   func(*Menu, int64) *T // nil if there is none
	whole  string                // what is removed with it
	id     func(*T) *int64
	check  func(*State, T) (T, fault.Problems)
	put    func(*Menu, T)
	remove func(*Menu, int64)
}

// Items are edited with the category that they are in.
var Items = Part[Entry]{
	Kind: "item", whole: "item", id: func(e *Entry) *int64 { return &e.ID }, Find: (*Menu).Entry,
	check: func(s *State, e Entry) (Entry, fault.Problems) {
		wrong := fault.Problems{}
		s.tidyHours(wrong, "hours", &e.Hours)
		item, problems := s.Draft.CheckItem(e.Item, s.Locations)
		maps.Copy(problems, wrong)
		if s.Draft.Category(e.Category) == nil {
			problems["category"] = "Choose a category."
		}
		return Entry{Item: item, Category: e.Category}, problems
	},
	put: func(m *Menu, e Entry) {
		if into := m.Category(e.Category); into != nil {
			m.put(e.Item, into)
		}
	},
	remove: (*Menu).removeItem,
}

// Groups are edited with their choices.
var Groups = Part[Group]{
	Kind: "group", whole: "group", id: func(g *Group) *int64 { return &g.ID }, Find: (*Menu).Group,
	check: func(s *State, g Group) (Group, fault.Problems) {
		keepChoices(&g, s.Draft.Group(g.ID))
		return s.Draft.CheckGroup(g)
	},
	put: (*Menu).putGroup, remove: (*Menu).removeGroup,
}

// Categories are edited by their name and hours.
var Categories = Part[Category]{
	Kind: "category", whole: "contents", id: func(c *Category) *int64 { return &c.ID }, Find: (*Menu).Category,
	check: func(s *State, c Category) (Category, fault.Problems) {
		if have := s.Draft.Category(c.ID); have != nil {
			c.Items = have.Items
		}
		wrong := fault.Problems{}
		s.tidyHours(wrong, "hours", &c.Hours)
		s.tidyHours(wrong, "otherHours", &c.OtherHours)
		c, problems := s.Draft.CheckCategory(c)
		maps.Copy(problems, wrong)
		return c, problems
	},
	put: func(m *Menu, c Category) { m.putCategory(c) }, remove: (*Menu).removeCategory,
}

// tidyHours tidies the hours of a field, which may name public holidays of the shop.
func (s *State) tidyHours(problems fault.Problems, field string, hours *string) {
	tidy, wrong := clock.TidyHours(*hours, s.Holidays)
	problems.Note(field, wrong)
	*hours = tidy
}

// keepChoices leaves only those ids of choices that the group has.
func keepChoices(g, have *Group) {
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

// Clash is somebody else's change of a part after the revision that the person saw: the optimistic lock refuses to save or remove it.
type Clash struct {
	By   string // address of the account; "" if it is gone
	At   time.Time
	Gone bool  // they removed the part
	Now  State // of the menu, with their change
	Mine Menu  // the draft with what the person typed in its place
}

// Save stores a part in the newest draft, or a new one if its ID is 0, and returns it in tidy form. revision is that of the draft that the
// person saw. What others changed elsewhere in it stays. Errors: fault.Problems, ErrMissing, shop.ErrMissing, shop.ErrRole.
func Save[T any](
	ctx context.Context, s *Studio, by shop.Person, code string, p Part[T], mine T, revision int64,
) (kept T, c *Clash, err error) {
	err = s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		id := *p.id(&mine)
		theirs := p.Find(&d.Draft, id)
		if theirs == nil {
			*p.id(&mine) = 0 // one that was removed is put back: its row is found again by its name
		}
		var problems fault.Problems
		if kept, problems = p.check(&d.State, mine); len(problems) > 0 {
			return problems
		}
		if id != 0 && (theirs == nil || text(*theirs) != text(kept)) {
			if c, err = d.clash(ctx, p.Kind, id, revision, theirs == nil); err != nil {
				return err
			}
		}
		if c == nil {
			before := d.Draft.size()
			p.put(&d.Draft, kept)
			if text := d.Draft.overfull(before); text != "" {
				return fault.Problems{"name": text}
			}
			return nil
		}
		c.Mine = d.Draft.Clone()
		p.put(&c.Mine, kept)
		return nil
	})
	return kept, c, err
}

// Remove removes a part from the draft, a category with its items, unless it has changed since the revision that the person saw.
// Errors: shop.ErrMissing, shop.ErrRole.
func Remove[T any](ctx context.Context, s *Studio, by shop.Person, code string, p Part[T], id, revision int64) (c *Clash, err error) {
	err = s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		if p.Find(&d.Draft, id) == nil {
			return nil
		}
		if c, err = d.clash(ctx, p.whole, id, revision, false); err == nil && c == nil {
			p.remove(&d.Draft, id)
		}
		return err
	})
	return c, err
}

// clash returns the latest change of a part after a revision; nil if there is none. Errors: ErrMissing for a part that the shop never had.
func (d *draft) clash(ctx context.Context, kind string, id, revision int64, gone bool) (*Clash, error) {
	last, err := d.queries.MenuEditGet(ctx, db.MenuEditGetParams{Code: d.code, Kind: kind, Part: id, Seen: revision, Kept: keptEdits})
	switch {
	case errors.Is(err, pgx.ErrNoRows) && gone:
		return nil, ErrMissing
	case errors.Is(err, pgx.ErrNoRows) || err == nil && last.Revision <= revision:
		return nil, nil
	}
	return &Clash{By: last.By, At: last.ChangedAt, Gone: gone, Now: d.State}, err
}

// partKey names a part of a menu.
type partKey struct {
	kind string
	id   int64
}

// texts returns what a menu says of each of its parts.
func texts(m *Menu) map[partKey]string {
	all := map[partKey]string{}
	for _, g := range m.Groups {
		all[partKey{Groups.Kind, g.ID}] = text(g)
	}
	for _, c := range m.Categories {
		all[partKey{Categories.Kind, c.ID}] = text([]string{c.Name, c.Hours, c.OtherHours})
		all[partKey{Categories.whole, c.ID}] = text(c)
		for _, i := range c.Items {
			all[partKey{Items.Kind, i.ID}] = text(Entry{Item: i, Category: c.ID})
		}
	}
	return all
}

// keptEdits is how many changes of a draft are noted: the latest ones, several for each part of the largest menu.
const keptEdits = 10_000

// save stores the draft and notes which of its parts are not as before.
func (d *draft) save(ctx context.Context, before Menu, by shop.Person) error {
	if err := number(ctx, d.queries, d.code, &d.Draft); err != nil {
		return err
	}
	if err := d.queries.MenuDraftSave(ctx, []byte(text(d.Draft)), by.Email, d.code); err != nil {
		return err
	}
	edited := db.MenuEditPutParams{Code: d.code, Revision: d.Revision + 1, AccountID: by.ID}
	was, now := texts(&before), texts(&d.Draft)
	for k, text := range was {
		if now[k] == text {
			delete(now, k)
		} else {
			now[k] = "" // changed or removed
		}
	}
	for k := range now {
		edited.Kinds, edited.Parts = append(edited.Kinds, k.kind), append(edited.Parts, k.id)
	}
	if err := d.queries.MenuEditPut(ctx, edited); err != nil {
		return err
	}
	return d.queries.MenuEditPrune(ctx, d.code, keptEdits)
}

// Arrange changes the order of the draft.
func (s *Studio) Arrange(ctx context.Context, by shop.Person, code string, work func(*Menu)) error {
	return s.change(ctx, by, code, "menu draft changed", func(d *draft) error {
		work(&d.Draft)
		return nil
	})
}

// Take makes a menu the draft. It has the ids of the draft of a revision and has passed its checks. Errors: ErrChanged if the draft has
// another revision by now, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Take(ctx context.Context, by shop.Person, code string, m Menu, revision int64) error {
	return s.change(ctx, by, code, "menu imported", func(d *draft) error {
		if d.Revision != revision {
			return ErrChanged
		}
		d.Draft = m
		return nil
	})
}

// Restore makes an earlier version the draft; guests see it once it is published. revision is that of the draft that the person saw.
// Errors: ErrChanged, ErrMissing, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Restore(ctx context.Context, by shop.Person, code string, no int32, revision int64) error {
	return s.change(ctx, by, code, "menu version brought back", func(d *draft) error {
		body, err := d.queries.MenuVersionGet(ctx, code, no)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrMissing
		case err != nil:
			return err
		case d.Revision != revision:
			return ErrChanged
		}
		d.Draft, d.detail = Menu{}, fmt.Sprintf("version %d", no)
		return json.Unmarshal(body, &d.Draft)
	})
}

// Read returns the menu that a file makes of the draft, what it assumes where the file is silent, in sentences, and what is wrong with it.
// add keeps what the file lacks.
func (s *Studio) Read(
	ctx context.Context, code string, file []byte, add bool, now State,
) (m Menu, assumed []string, faults []Fault, err error) {
	if err := now.keep(ctx, s.queries, code); err != nil {
		return m, nil, nil, err
	}
	if m, assumed, faults = ReadCSV(file, now); len(faults) > 0 {
		return m, nil, faults, nil
	}
	if m = m.Adopt(now.Draft); add {
		m = now.Draft.Merge(m)
	}
	if m, faults = m.Check(now.Locations); len(faults) == 0 {
		faults, err = s.checkPictures(ctx, code, &m, &now.Draft)
	}
	if text := m.overfull(now.Draft.size()); text != "" && len(faults) == 0 {
		faults = []Fault{{Text: text}}
	}
	return m, assumed, faults, err
}

// checkPictures returns the faults of items with pictures that the shop does not have and that present, its menu so far, does not show
// either. A picture of another shop is gone once that shop drops it. Assets belong to every shop.
func (s *Studio) checkPictures(ctx context.Context, code string, m, present *Menu) (faults []Fault, err error) {
	shown := map[string]bool{}
	for _, e := range present.entries() {
		shown[e.Picture] = true
	}
	var added []string
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if strings.HasPrefix(i.Picture, "/picture/") && !shown[i.Picture] {
				added = append(added, i.Picture)
			}
		}
	}
	if len(added) == 0 {
		return nil, nil
	}
	foreign, err := s.queries.PicturesForeign(ctx, added, code)
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if slices.Contains(foreign, i.Picture) {
				faults = append(faults, Fault{Kind: "item", Name: i.Name, Field: "picture", Text: wrongPicture})
			}
		}
	}
	return limited(faults), err
}
