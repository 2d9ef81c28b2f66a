package demo

import (
	"slices"

	"forecourt/internal/shop/menu"
)

// Menu returns what the business sells, as a file to publish. Groups are numbered by their order.
func (b Business) Menu() menu.Menu {
	var m menu.Menu
	for i, group := range b.Groups {
		g := menu.Group{ID: int64(i) + 1, Name: group.Name, Min: group.Min, Max: group.Max}
		for _, c := range group.Choices {
			g.Choices = append(g.Choices, menu.Choice{
				Name: c.Name, Price: c.PriceMinor, Preset: c.Preset, Available: true,
				Food: menu.Food{AllergensKnown: c.Contains != nil, Contains: c.Contains, MayContain: c.MayContain},
			})
		}
		m.Groups = append(m.Groups, g)
	}
	for _, category := range b.Categories {
		c := menu.Category{Name: category.Name}
		for _, i := range category.Items {
			item := menu.Item{
				Name: i.Name, Description: i.Description, Price: i.PriceMinor, Loc: i.Loc, Available: i.Available,
				Food:  menu.Food{AllergensKnown: i.Contains != nil, Contains: i.Contains, MayContain: i.MayContain},
				Diets: i.Diets, Hours: i.Hours, NoteMax: i.NoteMax,
			}
			for _, name := range i.Options {
				at := slices.IndexFunc(b.Groups, func(g Group) bool { return g.Name == name })
				item.Groups = append(item.Groups, int64(at)+1) // 0 if there is no such group, which Check refuses
			}
			c.Items = append(c.Items, item)
		}
		m.Categories = append(m.Categories, c)
	}
	return m
}
