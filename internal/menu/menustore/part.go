package menustore

import (
	"encoding/json"

	"forecourt/internal/menu"
)

// Part is a kind of thing that is edited as a whole, by the operations that save and remove it.
type Part[T any] struct {
	kind   string // what a form of it shows
	whole  string // what is removed with it
	id     func(*T) *int64
	find   func(*menu.Menu, int64) *T
	check  func(*draft, T) (T, menu.Problems)
	put    func(*menu.Menu, T)
	remove func(*menu.Menu, int64)
}

// Items are edited with the category that they are in.
var Items = Part[menu.Entry]{
	kind: "item", whole: "item", id: func(e *menu.Entry) *int64 { return &e.ID }, find: (*menu.Menu).Entry,
	check: func(d *draft, e menu.Entry) (menu.Entry, menu.Problems) {
		item, problems := d.CheckItem(e.Item, d.locations)
		if d.Category(e.Category) == nil {
			problems["category"] = menu.Missing
		}
		return menu.Entry{Item: item, Category: e.Category}, problems
	},
	put:    func(m *menu.Menu, e menu.Entry) { m.PutItem(e.Item, e.Category) },
	remove: (*menu.Menu).RemoveItem,
}

// Groups are edited with their choices.
var Groups = Part[menu.Group]{
	kind: "group", whole: "group", id: func(g *menu.Group) *int64 { return &g.ID }, find: (*menu.Menu).Group,
	check: func(d *draft, g menu.Group) (menu.Group, menu.Problems) {
		keepChoices(&g, d.Group(g.ID))
		return d.CheckGroup(g)
	},
	put: (*menu.Menu).PutGroup, remove: (*menu.Menu).RemoveGroup,
}

// Categories are edited by their name and hours.
var Categories = Part[menu.Category]{
	kind: "category", whole: "contents", id: func(c *menu.Category) *int64 { return &c.ID }, find: (*menu.Menu).Category,
	check: func(d *draft, c menu.Category) (menu.Category, menu.Problems) {
		if have := d.Category(c.ID); have != nil {
			c.Items = have.Items
		}
		return d.CheckCategory(c)
	},
	put: (*menu.Menu).PutCategory, remove: (*menu.Menu).RemoveCategory,
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

// key names a part of a menu.
type key struct {
	kind string
	id   int64
}

// texts returns what a menu says of each of its parts.
func texts(m *menu.Menu) map[key]string {
	all := map[key]string{}
	for _, g := range m.Groups {
		all[key{Groups.kind, g.ID}] = text(g)
	}
	for _, c := range m.Categories {
		all[key{Categories.kind, c.ID}] = text([]string{c.Name, c.Hours})
		all[key{Categories.whole, c.ID}] = text(c)
		for _, i := range c.Items {
			all[key{Items.kind, i.ID}] = text(menu.Entry{Item: i, Category: c.ID})
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
func differing(a, b *menu.Menu) (kinds []string, ids []int64) {
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
