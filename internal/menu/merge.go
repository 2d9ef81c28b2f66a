package menu

import (
	"reflect"
	"strings"
)

// Entry is an item with the category that it is in.
type Entry struct {
	Item     `json:"item"`
	Category int64 `json:"category"`
}

// UnmarshalJSON reads an entry; that of its item would read the item alone.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var read struct {
		Item     Item  `json:"item"`
		Category int64 `json:"category"`
	}
	err := strict(data, &read)
	e.Item, e.Category = read.Item, read.Category
	return err
}

// part is a piece of T that is merged as a unit: fields that depend on each other stay together.
type part[T any] struct {
	field string
	get   func(*T) any
	copy  func(to *T, from T)
}

var entryParts = []part[Entry]{
	{"name", func(e *Entry) any { return e.Name }, func(to *Entry, from Entry) { to.Name = from.Name }},
	{"description", func(e *Entry) any { return e.Description }, func(to *Entry, from Entry) { to.Description = from.Description }},
	{"priceMinor", func(e *Entry) any { return e.Price }, func(to *Entry, from Entry) { to.Price = from.Price }},
	{"picture", func(e *Entry) any { return e.Picture }, func(to *Entry, from Entry) { to.Picture = from.Picture }},
	{"loc", func(e *Entry) any { return e.Loc }, func(to *Entry, from Entry) { to.Loc = from.Loc }},
	{"available", func(e *Entry) any { return e.Available }, func(to *Entry, from Entry) { to.Available = from.Available }},
	{"contains", func(e *Entry) any {
		return [2]string{allergenText(e.AllergensKnown, e.Contains), allergenText(e.AllergensKnown, e.MayContain)}
	}, func(to *Entry, from Entry) {
		to.AllergensKnown, to.Contains, to.MayContain = from.AllergensKnown, from.Contains, from.MayContain
	}},
	{"diets", func(e *Entry) any { return strings.Join(e.Diets, " ") }, func(to *Entry, from Entry) { to.Diets = from.Diets }},
	{"hours", func(e *Entry) any { return e.Hours }, func(to *Entry, from Entry) { to.Hours = from.Hours }},
	{"noteMax", func(e *Entry) any { return e.NoteMax }, func(to *Entry, from Entry) { to.NoteMax = from.NoteMax }},
	{"groups", func(e *Entry) any { return append([]int64{}, e.Groups...) }, func(to *Entry, from Entry) { to.Groups = from.Groups }},
	{"category", func(e *Entry) any { return e.Category }, func(to *Entry, from Entry) { to.Category = from.Category }},
}

var groupParts = []part[Group]{
	{"name", func(g *Group) any { return g.Name }, func(to *Group, from Group) { to.Name = from.Name }},
	{"max", func(g *Group) any { return [2]int{g.Min, g.Max} }, func(to *Group, from Group) { to.Min, to.Max = from.Min, from.Max }},
	{"choices", func(g *Group) any { return append([]Choice{}, g.Choices...) }, func(to *Group, from Group) { to.Choices = from.Choices }},
}

// MergeEntry merges two edits of an item that both began with was. It takes the fields that only theirs changed. both names the fields that
// both changed, which stay as in mine.
func MergeEntry(was, mine, theirs Entry) (_ Entry, both []string) {
	return merge(entryParts, was, mine, theirs)
}

// MergeGroup is like MergeEntry for a group. The choices are one field.
func MergeGroup(was, mine, theirs Group) (_ Group, both []string) {
	return merge(groupParts, was, mine, theirs)
}

var categoryParts = []part[Category]{
	{"name", func(c *Category) any { return c.Name }, func(to *Category, from Category) { to.Name = from.Name }},
	{"hours", func(c *Category) any { return c.Hours }, func(to *Category, from Category) { to.Hours = from.Hours }},
}

// MergeCategory is like MergeEntry for a category, apart from its items.
func MergeCategory(was, mine, theirs Category) (_ Category, both []string) {
	return merge(categoryParts, was, mine, theirs)
}

func merge[T any](parts []part[T], was, mine, theirs T) (_ T, both []string) {
	for _, p := range parts {
		w, m, t := p.get(&was), p.get(&mine), p.get(&theirs)
		switch {
		case reflect.DeepEqual(t, w) || reflect.DeepEqual(t, m):
		case reflect.DeepEqual(m, w):
			p.copy(&mine, theirs)
		default:
			both = append(both, p.field)
		}
	}
	return mine, both
}
