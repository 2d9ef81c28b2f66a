package menu

import "slices"

func (c *Category) remove(item int64) {
	c.Items = slices.DeleteFunc(c.Items, func(i Item) bool { return i.ID == item })
}

// put adds an item at the end of a category, or changes it; it moves if it was in another one.
func (m *Menu) put(item Item, into *Category) {
	have, from := m.Item(item.ID)
	if have != nil && from == into {
		*have = item
		return
	}
	if have != nil {
		from.remove(item.ID)
	}
	into.Items = append(into.Items, item)
}

// putCategory adds a category at the end, or changes the name and the hours of one.
func (m *Menu) putCategory(c Category) *Category {
	if have := m.Category(c.ID); have != nil {
		have.Name, have.Hours, have.OtherHours = c.Name, c.Hours, c.OtherHours
		return have
	}
	m.Categories = append(m.Categories, c)
	return &m.Categories[len(m.Categories)-1]
}

// putGroup adds a group at the end, or changes it.
func (m *Menu) putGroup(g Group) {
	if have := m.Group(g.ID); have != nil {
		*have = g
		return
	}
	m.Groups = append(m.Groups, g)
}

// removeItem takes an item out of the menu.
func (m *Menu) removeItem(id int64) {
	if _, from := m.Item(id); from != nil {
		from.remove(id)
	}
}

// removeCategory takes a category and its items out of the menu.
func (m *Menu) removeCategory(id int64) {
	m.Categories = slices.DeleteFunc(m.Categories, func(c Category) bool { return c.ID == id })
}

// removeGroup takes a group out of the menu and of the items that ask it.
func (m *Menu) removeGroup(id int64) {
	m.Groups = slices.DeleteFunc(m.Groups, func(g Group) bool { return g.ID == id })
	for _, c := range m.Categories {
		for i := range c.Items {
			item := &c.Items[i]
			item.Groups = slices.DeleteFunc(item.Groups, func(asked int64) bool { return asked == id })
		}
	}
}

// ShiftCategory moves a category by one place, up or down.
func (m *Menu) ShiftCategory(id int64, by int) {
	n := slices.IndexFunc(m.Categories, func(c Category) bool { return c.ID == id })
	swap(m.Categories, n, n+by)
}

// ShiftItem moves an item by one place, up or down. At the end of its category it goes on to the next one.
func (m *Menu) ShiftItem(id int64, by int) {
	for n := range m.Categories {
		items, other := m.Categories[n].Items, n+by
		k := slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
		switch inside := k+by >= 0 && k+by < len(items); {
		case k < 0:
			continue
		case inside || other < 0 || other >= len(m.Categories):
			swap(items, k, k+by)
		case by > 0 && len(m.Categories[other].Items) > 0:
			m.PlaceItem(id, m.Categories[other].ID, m.Categories[other].Items[0].ID)
		default:
			m.PlaceItem(id, m.Categories[other].ID, 0)
		}
		return
	}
}

func swap[T any](list []T, a, b int) {
	if min(a, b) >= 0 && max(a, b) < len(list) {
		list[a], list[b] = list[b], list[a]
	}
}

// PlaceItem puts an item before another one, or at the end of a category if before is 0.
func (m *Menu) PlaceItem(id, category, before int64) {
	have, from := m.Item(id)
	into := m.Category(category)
	if have == nil || into == nil || id == before {
		return
	}
	item := *have
	from.remove(id)
	into.Items = insert(into.Items, item, func(i Item) bool { return i.ID == before })
}

// PlaceCategory puts a category before another one, or at the end if before is 0.
func (m *Menu) PlaceCategory(id, before int64) {
	have := m.Category(id)
	if have == nil || id == before {
		return
	}
	c := *have
	m.removeCategory(id)
	m.Categories = insert(m.Categories, c, func(c Category) bool { return c.ID == before })
}

// insert puts one before the first of a list for which before holds, or at its end.
func insert[T any](list []T, one T, before func(T) bool) []T {
	at := slices.IndexFunc(list, before)
	if at < 0 {
		at = len(list)
	}
	return slices.Insert(list, at, one)
}

// Merge returns the menu with what file adds and changes; nothing is taken out. Both have the same ids.
func (m *Menu) Merge(file Menu) Menu {
	merged, file := m.Clone(), file.Clone()
	for _, g := range file.Groups {
		merged.putGroup(g)
	}
	for _, c := range file.Categories {
		items := c.Items
		c.Items = nil
		into := merged.putCategory(c)
		for _, item := range items {
			merged.put(item, into)
		}
	}
	return merged
}
