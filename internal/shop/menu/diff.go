package menu

import (
	"slices"
	"strings"
)

// These say what happened to a part of a menu.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
	Moved   = "moved"   // to another category; it may have changed as well
	Ordered = "ordered" // the things in it, or the categories of the menu
)

// Change is how one thing differs between two menus.
type Change struct {
	What   string
	Kind   string // "category", "item", "group", or "menu" and "groups" for the order of all
	ID     int64
	Name   string // the new one; the old one of what was removed
	Fields []Edit // of what was changed
}

// Edit is one fact before and after.
type Edit struct{ Label, Was, Now string }

// String says what happened: "Toast: price, hours", "Toast added".
func (c Change) String() string {
	switch {
	case c.Kind == "menu":
		return "order of the categories"
	case c.Kind == "groups":
		return "order of the option groups"
	case c.What == Ordered:
		return c.Name + ": order of its items"
	case len(c.Fields) == 0:
		return c.Name + " " + c.What
	}
	var labels []string
	for _, f := range c.Fields {
		labels = append(labels, strings.ToLower(f.Label))
	}
	return c.Name + ": " + strings.Join(labels, ", ")
}

// Compare returns the changes that turn a menu into another: removals first, then the rest in the order of the new menu. Prices are in a
// currency.
func Compare(from, to *Menu, currency string) (changes []Change) {
	add := func(what, kind string, id int64, name string, fields []Edit) {
		changes = append(changes, Change{what, kind, id, name, fields})
	}
	before, after := from.index(), to.index()
	for _, c := range from.Categories {
		if after.categories[c.ID] == nil {
			add(Removed, "category", c.ID, c.Name, nil)
		}
		for _, i := range c.Items {
			if after.items[i.ID].item == nil {
				add(Removed, "item", i.ID, i.Name, nil)
			}
		}
	}
	for _, g := range from.Groups {
		if to.Group(g.ID) == nil {
			add(Removed, "group", g.ID, g.Name, nil)
		}
	}
	for _, c := range to.Categories {
		was := before.categories[c.ID]
		switch {
		case was == nil || c.ID == 0:
			add(Added, "category", c.ID, c.Name, nil)
		default:
			if fields := differ(was.Facts(), c.Facts()); len(fields) > 0 {
				add(Changed, "category", c.ID, c.Name, fields)
			}
			if reordered(ids(was.Items, itemID), ids(c.Items, itemID)) {
				add(Ordered, "category", c.ID, c.Name, nil)
			}
		}
		for _, i := range c.Items {
			was := before.items[i.ID]
			if was.item == nil || i.ID == 0 {
				add(Added, "item", i.ID, i.Name, nil)
				continue
			}
			fields := differ(from.Facts(*was.item, currency), to.Facts(i, currency))
			switch {
			case was.category.ID != c.ID:
				add(Moved, "item", i.ID, i.Name, append(fields, Edit{"Category", was.category.Name, c.Name}))
			case len(fields) > 0:
				add(Changed, "item", i.ID, i.Name, fields)
			}
		}
	}
	if reordered(ids(from.Categories, categoryID), ids(to.Categories, categoryID)) {
		add(Ordered, "menu", 0, "", nil)
	}
	if reordered(ids(from.Groups, groupID), ids(to.Groups, groupID)) {
		add(Ordered, "groups", 0, "", nil)
	}
	for _, g := range to.Groups {
		was := from.Group(g.ID)
		if was == nil || g.ID <= 0 {
			add(Added, "group", g.ID, g.Name, nil)
		} else if fields := differ(was.Facts(currency), g.Facts(currency)); len(fields) > 0 {
			add(Changed, "group", g.ID, g.Name, fields)
		}
	}
	return changes
}

func differ(was, now []Fact) (fields []Edit) {
	for n := range was {
		if was[n].Text != now[n].Text {
			fields = append(fields, Edit{was[n].Label, was[n].Text, now[n].Text})
		}
	}
	return fields
}

// index finds the things of a menu by id.
type index struct {
	categories map[int64]*Category
	items      map[int64]placed
}

// placed is an item in its category.
type placed struct {
	item     *Item
	category *Category
}

func (m *Menu) index() index {
	all := index{map[int64]*Category{}, map[int64]placed{}}
	for n := range m.Categories {
		c := &m.Categories[n]
		all.categories[c.ID] = c
		for k := range c.Items {
			all.items[c.Items[k].ID] = placed{&c.Items[k], c}
		}
	}
	return all
}

func itemID(i Item) int64         { return i.ID }
func categoryID(c Category) int64 { return c.ID }
func groupID(g Group) int64       { return g.ID }

func ids[T any](list []T, id func(T) int64) []int64 {
	all := make([]int64, len(list))
	for i, one := range list {
		all[i] = id(one)
	}
	return all
}

// reordered reports whether the ids that both lists have are in another order.
func reordered(was, now []int64) bool {
	both := func(list, other []int64) []int64 {
		in := make(map[int64]bool, len(other))
		for _, id := range other {
			in[id] = true
		}
		return slices.DeleteFunc(slices.Clone(list), func(id int64) bool { return !in[id] })
	}
	return !slices.Equal(both(was, now), both(now, was))
}
