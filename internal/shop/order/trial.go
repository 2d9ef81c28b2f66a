package order

import (
	"maps"
	"slices"
	"time"
)

// AtAnyHour returns the menu for a member of the team who tries it. In test mode nothing on it is closed, so that somebody who sets it up
// at night can place a test order. A live menu is returned unchanged, and so is one without closed items.
func (m *Menu) AtAnyHour() *Menu {
	if m.Shop.Live || !slices.ContainsFunc(slices.Collect(maps.Values(m.items)), func(i *Item) bool { return i.Closed }) {
		return m
	}
	open := *m
	open.Guests, open.items, open.named = m, make(map[int64]*Item, len(m.items)), make(map[string]*Item, len(m.named))
	for id, was := range m.items {
		item := *was
		item.Closed, item.SoldOut, item.Opens = false, slices.Contains(m.read.ItemsOut, id), time.Time{}
		open.items[id], open.named[item.Name] = &item, &item
	}
	open.Categories = slices.Clone(m.Categories)
	for i, category := range m.Categories {
		open.Categories[i].Items = make([]*Item, len(category.Items))
		for k, item := range category.Items {
			open.Categories[i].Items[k] = open.items[item.ID]
		}
	}
	return &open
}

// orderable returns the menu that a request may order from.
func (r *Request) orderable(m *Menu) *Menu {
	if r.AnyHour {
		return m.AtAnyHour()
	}
	return m
}
