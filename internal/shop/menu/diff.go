package menu

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/money"
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
	Fields []Edit // of what was changed; the price of an item that was added
}

// Edit is one fact before and after.
type Edit struct{ Label, Was, Now string }

// String says what happened: "Toast: price, hours", "Toast added".
func (c Change) String() string {
	switch {
	case c.Kind == "menu":
		return "order of the categories"
	case c.Kind == "groups":
		return "order of the options"
	case c.What == Ordered:
		return c.Name + ": order of its items"
	case c.What == Added, len(c.Fields) == 0:
		return c.Name + " " + c.What
	}
	var labels []string
	for _, f := range c.Fields {
		labels = append(labels, strings.ToLower(f.Label))
	}
	return c.Name + ": " + strings.Join(labels, ", ")
}

// mostSummed is how many changes a summary names.
const mostSummed = 5

// Summary says in one line what changed.
func Summary(changes []Change) string {
	var parts []string
	for _, c := range changes[:min(len(changes), mostSummed)] {
		parts = append(parts, c.String())
	}
	if len(changes) > mostSummed {
		parts = append(parts, "…")
	}
	return strings.Join(parts, "; ")
}

// Compare returns the changes that turn a menu into another: removals first, then the rest in the order of the new menu. Prices are in a
// currency.
func Compare(from, to *Menu, currency string) (changes []Change) {
	add := func(what, kind string, id int64, name string, fields ...Edit) {
		changes = append(changes, Change{what, kind, id, name, fields})
	}
	before, after := from.entries(), to.entries()
	for _, c := range from.Categories {
		if to.Category(c.ID) == nil {
			add(Removed, "category", c.ID, c.Name)
		}
		for _, i := range c.Items {
			if after[i.ID] == nil {
				add(Removed, "item", i.ID, i.Name)
			}
		}
	}
	for _, g := range from.Groups {
		if to.Group(g.ID) == nil {
			add(Removed, "group", g.ID, g.Name)
		}
	}
	for _, c := range to.Categories {
		if was := from.Category(c.ID); was == nil {
			add(Added, "category", c.ID, c.Name)
		} else {
			if fields := differ(was.facts(), c.facts()); len(fields) > 0 {
				add(Changed, "category", c.ID, c.Name, fields...)
			}
			if reordered(was.Items, c.Items, itemID) {
				add(Ordered, "category", c.ID, c.Name)
			}
		}
		for _, i := range c.Items {
			was := before[i.ID]
			if was == nil {
				add(Added, "item", i.ID, i.Name, Edit{Label: "Price", Now: money.Price(i.Price, currency)})
				continue
			}
			fields := differ(from.facts(&was.Item, currency), to.facts(&i, currency))
			switch {
			case was.Category != c.ID:
				add(Moved, "item", i.ID, i.Name, append(fields, Edit{"Category", from.Category(was.Category).Name, c.Name})...)
			case len(fields) > 0:
				add(Changed, "item", i.ID, i.Name, fields...)
			}
		}
	}
	if reordered(from.Categories, to.Categories, categoryID) {
		add(Ordered, "menu", 0, "")
	}
	if reordered(from.Groups, to.Groups, groupID) {
		add(Ordered, "groups", 0, "")
	}
	for _, g := range to.Groups {
		if was := from.Group(g.ID); was == nil {
			add(Added, "group", g.ID, g.Name)
		} else if fields := differ(was.facts(currency), g.facts(currency)); len(fields) > 0 {
			add(Changed, "group", g.ID, g.Name, fields...)
		}
	}
	return changes
}

// entries returns the items of a menu that are not new by their ids.
func (m *Menu) entries() map[int64]*Entry {
	all := map[int64]*Entry{}
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if i.ID != 0 {
				all[i.ID] = &Entry{i, c.ID}
			}
		}
	}
	return all
}

func differ(was, now []fact) (fields []Edit) {
	for n := range was {
		if was[n].text != now[n].text {
			fields = append(fields, Edit{was[n].label, was[n].text, now[n].text})
		}
	}
	return fields
}

// reordered reports whether the things that both lists have are in another order.
func reordered[T any](was, now []T, id func(*T) int64) bool {
	both := func(list, other []T) (ids []int64) {
		in := make(map[int64]bool, len(other))
		for i := range other {
			in[id(&other[i])] = true
		}
		for i := range list {
			if one := id(&list[i]); in[one] {
				ids = append(ids, one)
			}
		}
		return ids
	}
	return !slices.Equal(both(was, now), both(now, was))
}

// fact is one property of an item, category or group, in words.
type fact struct{ label, text string }

// facts returns all properties of an item of the menu, with prices in a currency. Every item has the same ones, in the same order.
func (m *Menu) facts(i *Item, currency string) []fact {
	note := "Off"
	if i.NoteMax > 0 {
		note = "Up to " + strconv.Itoa(i.NoteMax) + " characters"
	}
	gst := "No"
	if i.GSTFree {
		gst = "Yes"
	}
	other := "The same"
	if i.OtherPrice != nil {
		other = money.Price(*i.OtherPrice, currency)
	}
	return []fact{
		{"Name", i.Name},
		{"Description", i.Description},
		{"Price", money.Price(i.Price, currency)},
		{"Happy hour price", other},
		{"Free of GST", gst},
		{"Picture", i.Picture},
		{"Made at", i.Loc},
		{"Shown to guests", yesNo(i.Available)},
		{"Allergens", allergensText(i.AllergensKnown, i.Contains, "Unknown", "None")},
		{"May contain", allergensText(i.AllergensKnown, i.MayContain, "Unknown", "None")},
		{"Diets", strings.Join(Names(Diets, i.Diets), ", ")},
		{"Hours", cmp.Or(i.Hours, "Always")},
		{"Note to the kitchen", note},
		{"Options", strings.Join(m.groupNames(i.Groups), ", ")},
	}
}

// facts returns all properties of a group, with prices in a currency.
func (g *Group) facts(currency string) []fact {
	var choices []string
	for _, c := range g.Choices {
		text := Named(c.Name, c.Food)
		if c.Price != 0 {
			text += " " + money.Change(c.Price, currency)
		}
		if c.Preset {
			text += " (selected by default)"
		}
		if !c.Available {
			text += " (hidden)"
		}
		if c.AllergensKnown && len(c.Contains)+len(c.MayContain) == 0 {
			text += " (adds no allergens)"
		}
		choices = append(choices, text)
	}
	return []fact{{"Name", g.Name}, {"Guests choose", g.Rule()}, {"Choices", strings.Join(choices, ", ")}}
}

// Rule says how many choices a guest makes.
func (g *Group) Rule() string {
	least, most := strconv.Itoa(g.Min), strconv.Itoa(g.Max)
	switch {
	case g.Min == 1 && g.Max == 1:
		return "one"
	case g.Min == g.Max:
		return most
	case g.Min == 0:
		return "up to " + most
	default:
		return least + " to " + most
	}
}

// facts returns all properties of a category except its items.
func (c *Category) facts() []fact {
	return []fact{{"Name", c.Name}, {"Hours", cmp.Or(c.Hours, "Always")}, {"Happy hour", cmp.Or(c.OtherHours, "Never")}}
}
