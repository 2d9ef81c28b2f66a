package menu

import "slices"

func (c *Category) remove(item int64) {
	c.Items = slices.DeleteFunc(c.Items, func(i Item) bool { return i.ID == item })
}

// PutItem adds an item at the end of a category, or changes it; it moves if it was in another one. It reports whether the category exists.
func (m *Menu) PutItem(item Item, category int64) bool {
	into := m.Category(category)
	if into == nil {
		return false
	}
	have, from := m.Item(item.ID)
	switch {
	case have != nil && from == into:
		*have = item
		return true
	case have != nil:
		from.remove(item.ID)
	}
	into.Items = append(into.Items, item)
	return true
}

// RemoveItem takes an item out of the menu.
func (m *Menu) RemoveItem(id int64) {
	if _, from := m.Item(id); from != nil {
		from.remove(id)
	}
}

// PutCategory adds a category at the end, or changes the name and the hours of one.
func (m *Menu) PutCategory(c Category) {
	if have := m.Category(c.ID); have != nil {
		have.Name, have.Hours = c.Name, c.Hours
		return
	}
	m.Categories = append(m.Categories, c)
}

// RemoveCategory takes a category and its items out of the menu.
func (m *Menu) RemoveCategory(id int64) {
	m.Categories = slices.DeleteFunc(m.Categories, func(c Category) bool { return c.ID == id })
}

// PutGroup adds a group at the end, or changes it.
func (m *Menu) PutGroup(g Group) {
	if have := m.Group(g.ID); have != nil {
		*have = g
		return
	}
	m.Groups = append(m.Groups, g)
}

// RemoveGroup takes a group out of the menu and of the items that ask it.
func (m *Menu) RemoveGroup(id int64) {
	m.Groups = slices.DeleteFunc(m.Groups, func(g Group) bool { return g.ID == id })
	for c := range m.Categories {
		for i := range m.Categories[c].Items {
			item := &m.Categories[c].Items[i]
			item.Groups = slices.DeleteFunc(item.Groups, func(asked int64) bool { return asked == id })
		}
	}
}

// ShiftCategory moves a category by some places, as far as there are any.
func (m *Menu) ShiftCategory(id int64, by int) {
	n := slices.IndexFunc(m.Categories, func(c Category) bool { return c.ID == id })
	shift(m.Categories, n, by)
}

// ShiftItem moves an item by some places. At the end of its category it goes on to the next one.
func (m *Menu) ShiftItem(id int64, by int) {
	for n := range m.Categories {
		c := &m.Categories[n]
		k := slices.IndexFunc(c.Items, func(i Item) bool { return i.ID == id })
		if k < 0 {
			continue
		}
		other := n + by
		if to := k + by; to >= 0 && to < len(c.Items) || other < 0 || other >= len(m.Categories) {
			shift(c.Items, k, by)
			return
		}
		item, next := c.Items[k], &m.Categories[other]
		c.Items = slices.Delete(c.Items, k, k+1)
		if by < 0 {
			next.Items = append(next.Items, item)
		} else {
			next.Items = slices.Insert(next.Items, 0, item)
		}
		return
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
	at := slices.IndexFunc(into.Items, func(i Item) bool { return i.ID == before })
	if at < 0 {
		at = len(into.Items)
	}
	into.Items = slices.Insert(into.Items, at, item)
}

// PlaceCategory puts a category before another one, or at the end if before is 0.
func (m *Menu) PlaceCategory(id, before int64) {
	have := m.Category(id)
	if have == nil || id == before {
		return
	}
	c := *have
	m.RemoveCategory(id)
	at := slices.IndexFunc(m.Categories, func(c Category) bool { return c.ID == before })
	if at < 0 {
		at = len(m.Categories)
	}
	m.Categories = slices.Insert(m.Categories, at, c)
}

func shift[T any](list []T, n, by int) {
	if to := n + by; n >= 0 && to >= 0 && to < len(list) {
		one := list[n]
		_ = slices.Insert(slices.Delete(list, n, n+1), to, one) // in place: the list keeps its length
	}
}
