package pos

import (
	"net/url"
	"slices"

	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
)

// filterOf reads a guest's filter, ?f=milk&f=vegan, in the order of the lists.
func filterOf(query url.Values) (codes []string) {
	for _, kinds := range [][]menu.Kind{menu.Allergens, menu.Diets} {
		for _, k := range kinds {
			if slices.Contains(query["f"], k.Code) {
				codes = append(codes, k.Code)
			}
		}
	}
	return codes
}

// filterModel offers the allergens and diets that the menu states, if it states any. Its form and its links carry the guest's choice.
func filterModel(m *order.Menu, c choice) view.Filter {
	codes := c.filter
	f := view.Filter{Action: "/pos/" + m.Shop.Code, Active: len(codes) > 0}
	said := map[string]bool{}
	for _, category := range m.Categories {
		for _, item := range category.Items {
			f.Of++
			fit, told := item.Fit(codes), item.Told
			if fit.OK {
				f.Shown++
				f.Options = f.Options || len(item.Groups) > 0
			}
			if fit.Unknown {
				f.Unknown++
			}
			for _, list := range [][]string{told.Contains, told.MayContain, told.Depends, item.Diets} {
				for _, code := range list {
					said[code] = true
				}
			}
		}
	}
	ask := func(kinds []menu.Kind) (list []view.Ask) {
		for _, k := range kinds {
			chosen := slices.Contains(codes, k.Code)
			if said[k.Code] || chosen {
				list = append(list, view.Ask{Code: k.Code, Name: k.Name, Chosen: chosen})
			}
		}
		return list
	}
	f.Without, f.Diets = ask(menu.Allergens), ask(menu.Diets)
	keep := func(list *[][2]string, name, value string) {
		if value != "" {
			*list = append(*list, [2]string{name, value})
		}
	}
	keep(&f.Hidden, "t", c.table)
	keep(&f.Hidden, "n", c.name)
	keep(&f.Basket, "b", c.basket.String())
	keep(&f.Basket, "k", c.key)
	c.filter = nil
	f.ClearURL = c.path(m.Shop.Code, "")
	return f
}
