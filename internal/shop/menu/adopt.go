package menu

import "forecourt/internal/kit/typed"

// Adopt returns a menu from a file with the ids of base: things that have an id of base keep it, others take that of the same name.
// The rest are new, with 0 as their id, or a negative one for groups. An item without a picture keeps its picture.
func (m *Menu) Adopt(base Menu) Menu {
	file, pictures := m.Clone(), map[int64]string{}
	var items, categories, groups adoption
	for _, c := range base.Categories {
		categories.add(c.ID, c.Name)
		for _, i := range c.Items {
			items.add(i.ID, i.Name)
			pictures[i.ID] = i.Picture
		}
	}
	for _, g := range base.Groups {
		groups.add(g.ID, g.Name)
	}
	renamed := map[int64]int64{} // ids of groups by those of the file
	for n := range file.Groups {
		g := &file.Groups[n]
		was := g.ID
		g.ID = groups.take(was, g.Name)
		g.adoptChoices(base.Group(g.ID))
		if g.ID == 0 {
			g.ID = -int64(n) - 1
		}
		if was != 0 {
			renamed[was] = g.ID
		}
	}
	for n := range file.Categories {
		c := &file.Categories[n]
		c.ID = categories.take(c.ID, c.Name)
		for k := range c.Items {
			item := &c.Items[k]
			item.ID = items.take(item.ID, item.Name)
			for g, id := range item.Groups {
				if to, has := renamed[id]; has {
					item.Groups[g] = to
				}
			}
			if item.Picture == "" && item.ID != 0 {
				item.Picture = pictures[item.ID]
			}
		}
	}
	return file
}

// adoption holds the ids that nothing of a file has taken yet, by themselves and by name.
type adoption struct {
	ids   map[int64]bool
	names map[string]int64
}

func (a *adoption) add(id int64, name string) {
	if a.ids == nil {
		a.ids, a.names = map[int64]bool{}, map[string]int64{}
	}
	a.ids[id], a.names[typed.Alike(name)] = true, id
}

// take returns the id for a thing of a file: its own if base has it, else that of the same name, else 0.
func (a *adoption) take(id int64, name string) int64 {
	if !a.ids[id] {
		id = a.names[typed.Alike(name)]
	}
	if !a.ids[id] {
		return 0
	}
	delete(a.ids, id)
	return id
}

// adoptChoices gives the choices of a group the ids that they have in another one, which may be nil.
func (g *Group) adoptChoices(before *Group) {
	used := map[int64]bool{}
	for k := range g.Choices {
		c := &g.Choices[k]
		was := before.choice(c.ID, c.Name)
		if c.ID = 0; was != nil && !used[was.ID] {
			c.ID = was.ID
			used[was.ID] = true
		}
	}
}

// choice returns the choice of a group with this id or, failing that, this name; nil if it has none.
func (g *Group) choice(id int64, name string) *Choice {
	if g == nil {
		return nil
	}
	if c := with(g.Choices, id, func(c *Choice) int64 { return c.ID }); c != nil {
		return c
	}
	for k := range g.Choices {
		if same(g.Choices[k].Name, name) {
			return &g.Choices[k]
		}
	}
	return nil
}
