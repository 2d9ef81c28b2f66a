package menu

import (
	"encoding/json"
)

// Part is a kind of thing that is edited as a whole, by the operations that save and remove it.
type Part[T any] struct {
	kind   string // what a form of it shows
	whole  string // what is removed with it
	id     func(*T) *int64
	find   func(*Menu, int64) *T
	check  func(*draft, T) (T, Problems)
	put    func(*Menu, T)
	remove func(*Menu, int64)
}

// Items are edited with the category that they are in.
var Items = Part[Entry]{
	kind: "item", whole: "item", id: func(e *Entry) *int64 { return &e.ID }, find: (*Menu).Entry,
	check: func(d *draft, e Entry) (Entry, Problems) {
		item, problems := d.CheckItem(e.Item, d.locations)
		if d.Category(e.Category) == nil {
			problems["category"] = Missing
		}
		return Entry{Item: item, Category: e.Category}, problems
	},
	put:    func(m *Menu, e Entry) { m.PutItem(e.Item, e.Category) },
	remove: (*Menu).RemoveItem,
}

// Groups are edited with their choices.
var Groups = Part[Group]{
	kind: "group", whole: "group", id: func(g *Group) *int64 { return &g.ID }, find: (*Menu).Group,
	check: func(d *draft, g Group) (Group, Problems) {
		keepChoices(&g, d.Group(g.ID))
		return d.CheckGroup(g)
	},
	put: (*Menu).PutGroup, remove: (*Menu).RemoveGroup,
}

// Categories are edited by their name and hours.
var Categories = Part[Category]{
	kind: "category", whole: "contents", id: func(c *Category) *int64 { return &c.ID }, find: (*Menu).Category,
	check: func(d *draft, c Category) (Category, Problems) {
		if have := d.Category(c.ID); have != nil {
			c.Items = have.Items
		}
		return d.CheckCategory(c)
	},
	put: (*Menu).PutCategory, remove: (*Menu).RemoveCategory,
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

// key names a part of a menu.
type partKey struct {
	kind string
	id   int64
}

// texts returns what a menu says of each of its parts.
func texts(m *Menu) map[partKey]string {
	all := map[partKey]string{}
	for _, g := range m.Groups {
		all[partKey{Groups.kind, g.ID}] = text(g)
	}
	for _, c := range m.Categories {
		all[partKey{Categories.kind, c.ID}] = text([]string{c.Name, c.Hours})
		all[partKey{Categories.whole, c.ID}] = text(c)
		for _, i := range c.Items {
			all[partKey{Items.kind, i.ID}] = text(Entry{Item: i, Category: c.ID})
		}
	}
	return all
}

func text(part any) string {
	data, err := json.Marshal(part)
	if err != nil {
		panic(err) // parts of menus are always valid JSON
	}
	return string(data)
}

// differing lists the parts that two menus do not share.
func differing(a, b *Menu) (kinds []string, ids []int64) {
	was, now := texts(a), texts(b)
	for k := range was {
		if was[k] != now[k] {
			kinds, ids = append(kinds, k.kind), append(ids, k.id)
		}
	}
	for k := range now {
		if _, had := was[k]; !had {
			kinds, ids = append(kinds, k.kind), append(ids, k.id)
		}
	}
	return kinds, ids
}
