package menu

func (m *Menu) itemNamed(name string) *Item {
	for c := range m.Categories {
		for i := range m.Categories[c].Items {
			if item := &m.Categories[c].Items[i]; same(item.Name, name) {
				return item
			}
		}
	}
	return nil
}

func (m *Menu) groupNamed(name string) *Group {
	for i := range m.Groups {
		if same(m.Groups[i].Name, name) {
			return &m.Groups[i]
		}
	}
	return nil
}

// Adopt returns a menu from a file with the ids of base: things that have an id of base keep it, others take that of the same name.
// The rest are new, with 0 as their id, or a negative one for groups. An item without a picture keeps its picture.
func (m *Menu) Adopt(base Menu) Menu {
	file := m.Clone()
	a := adoption{base: base, used: map[string]map[int64]bool{"item": {}, "category": {}, "group": {}, "choice": {}}}
	groups := a.groups(file.Groups)
	for n := range file.Categories {
		c := &file.Categories[n]
		was := base.Category(c.ID)
		c.ID = a.take("category", c.ID, was != nil, c.Name)
		for k := range c.Items {
			item := &c.Items[k]
			before, _ := base.Item(item.ID)
			item.ID = a.take("item", item.ID, before != nil, item.Name)
			for g, id := range item.Groups {
				if to, has := groups[id]; has {
					item.Groups[g] = to
				}
			}
			if before, _ = base.Item(item.ID); before != nil && item.ID != 0 && item.Picture == "" {
				item.Picture = before.Picture
			}
		}
	}
	return file
}

// adoption notes which ids are taken.
type adoption struct {
	base Menu
	used map[string]map[int64]bool
}

// take returns the id for a thing of a file: its own if base has it, else that of the same name, else 0.
func (a *adoption) take(kind string, id int64, has bool, name string) int64 {
	if !has || id == 0 || a.used[kind][id] {
		id = a.named(kind, name)
	}
	if id == 0 || a.used[kind][id] {
		return 0
	}
	a.used[kind][id] = true
	return id
}

func (a *adoption) named(kind, name string) int64 {
	switch kind {
	case "item":
		if item := a.base.itemNamed(name); item != nil {
			return item.ID
		}
	case "category":
		for _, c := range a.base.Categories {
			if same(c.Name, name) {
				return c.ID
			}
		}
	case "group":
		if g := a.base.groupNamed(name); g != nil {
			return g.ID
		}
	}
	return 0
}

// groups gives groups and their choices their ids, and returns them by those of the file.
func (a *adoption) groups(list []Group) map[int64]int64 {
	to := map[int64]int64{}
	for n := range list {
		g := &list[n]
		was := g.ID
		g.ID = a.take("group", was, a.base.Group(was) != nil, g.Name)
		before := a.base.Group(g.ID)
		if g.ID == 0 {
			g.ID, before = -int64(n)-1, nil
		}
		if was != 0 {
			to[was] = g.ID
		}
		for k := range g.Choices {
			c := &g.Choices[k]
			id := before.choice(c.ID, c.Name)
			if id != 0 && a.used["choice"][id] {
				id = 0
			}
			c.ID, a.used["choice"][id] = id, true
		}
	}
	return to
}

// choice returns the id of a choice of the group, by that id or that name; 0 if it has none.
func (g *Group) choice(id int64, name string) int64 {
	if g == nil {
		return 0
	}
	for _, c := range g.Choices {
		if c.ID == id {
			return id
		}
	}
	for _, c := range g.Choices {
		if same(c.Name, name) {
			return c.ID
		}
	}
	return 0
}

// Merge returns base with what file adds and changes; nothing is taken out. Both have the ids of base.
func (m *Menu) Merge(file Menu) Menu {
	merged, file := m.Clone(), file.Clone()
	for _, g := range file.Groups {
		if have := merged.Group(g.ID); have != nil {
			*have = g
		} else {
			merged.Groups = append(merged.Groups, g)
		}
	}
	for _, c := range file.Categories {
		into := merged.Category(c.ID)
		if c.ID == 0 || into == nil {
			merged.Categories = append(merged.Categories, Category{ID: c.ID, Name: c.Name})
			into = &merged.Categories[len(merged.Categories)-1]
		}
		into.Name, into.Hours = c.Name, c.Hours
		for _, item := range c.Items {
			have, from := merged.Item(item.ID)
			switch {
			case item.ID == 0 || have == nil:
				into.Items = append(into.Items, item)
			case from == into:
				*have = item
			default:
				from.remove(item.ID)
				into.Items = append(into.Items, item)
			}
		}
	}
	return merged
}
