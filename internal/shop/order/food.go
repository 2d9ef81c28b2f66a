package order

import (
	"slices"

	"forecourt/internal/shop/menu"
)

// Fit says whether an item suits what a guest asks for.
type Fit struct {
	OK      bool
	Unknown bool     // it does not, but only because nobody said what it contains
	Not     []string // where OK: choices that do not suit, and groups of which none does
}

// Fit reports whether an item suits everything in asked: allergens that it must not contain, and diets. Options that a guest has to choose
// count too: a group with too few suitable choices on sale rules the item out.
func (i *Item) Fit(asked []string) Fit {
	own, all := i.judge(asked), Fit{OK: true}
	if own == wrong {
		return Fit{}
	}
	for _, group := range i.Groups {
		good, open := 0, 0
		var not []string
		for n := range group.Choices {
			choice := &group.Choices[n]
			if !choice.OnSale() {
				continue
			}
			switch choice.judge(asked) {
			case right:
				good++
			case unsaid:
				open++
				not = append(not, choice.Name)
			case wrong:
				not = append(not, choice.Name)
			}
		}
		switch {
		case good+open < group.Min:
			return Fit{}
		case good < group.Min:
			own = unsaid
		case good == 0 && len(not) > 1:
			all.Not = append(all.Not, group.Name)
		default:
			all.Not = append(all.Not, not...)
		}
	}
	if own == unsaid {
		return Fit{Unknown: true}
	}
	return all
}

// suit is how well food answers one wish.
type suit int

const (
	right suit = iota
	unsaid
	wrong
)

// judge returns how well the item suits without its options.
func (i *Item) judge(asked []string) suit {
	return judge(i.Food, asked, func(diet string) bool { return slices.Contains(i.Diets, diet) })
}

// Suits reports whether a choice is known to suit everything in asked.
func (c *Choice) Suits(asked []string) bool { return c.judge(asked) == right }

// judge returns how well a choice, which lists no diets, suits by the allergens that each diet rules out.
func (c *Choice) judge(asked []string) suit {
	return judge(c.Food, asked, func(diet string) bool {
		return !slices.ContainsFunc(menu.RuledOut(diet), func(no string) bool { return slices.Contains(c.Contains, no) })
	})
}

// judge returns how well food answers what is asked. fits says whether a diet allows it.
func judge(f menu.Food, asked []string, fits func(diet string) bool) suit {
	said := right
	for _, code := range asked {
		switch {
		case slices.ContainsFunc(menu.Diets, func(k menu.Kind) bool { return k.Code == code }):
			if !fits(code) {
				return wrong
			}
		case !f.AllergensKnown:
			said = unsaid
		case has(f, code) || code == "gluten" && has(f, "wheat"): // wheat has gluten, whether or not the box is ticked
			return wrong
		}
	}
	return said
}

func has(f menu.Food, code string) bool {
	return slices.Contains(f.Contains, code) || slices.Contains(f.MayContain, code)
}

// AllergenFacts returns what guests are told about the allergens of an item.
func (i *Item) AllergenFacts() menu.AllergenFacts {
	told := menu.AllergenFacts{Known: i.AllergensKnown, MayContain: i.MayContain, Ask: i.unsaid()}
	if !i.AllergensKnown {
		return told
	}
	for _, k := range menu.Allergens {
		switch {
		case slices.Contains(i.Contains, k.Code) || i.forced(k.Code):
			told.Contains = append(told.Contains, k.Code)
		case !slices.Contains(i.MayContain, k.Code) && i.offers(k.Code):
			told.Depends = append(told.Depends, k.Code)
		}
	}
	told.MayContain = slices.DeleteFunc(slices.Clone(i.MayContain), func(code string) bool { return slices.Contains(told.Contains, code) })
	return told
}

// Listed reports whether the business says anything about the allergens of the item or of one of its options.
func (i *Item) Listed() bool {
	return i.AllergensKnown || i.offered(func(c *Choice) bool { return c.AllergensKnown })
}

// forced reports whether the item's required choices bring an allergen whatever the guest picks.
func (i *Item) forced(code string) bool {
	return slices.ContainsFunc(i.Groups, func(g *Group) bool {
		free := 0
		for n := range g.Choices {
			if choice := &g.Choices[n]; choice.OnSale() && !slices.Contains(choice.Contains, code) {
				free++
			}
		}
		return free < g.Min
	})
}

func (i *Item) offers(code string) bool {
	return i.offered(func(c *Choice) bool { return has(c.Food, code) })
}

func (i *Item) unsaid() bool { return i.offered(func(c *Choice) bool { return !c.AllergensKnown }) }

// offered reports whether like holds for one of the item's choices that are on sale.
func (i *Item) offered(like func(*Choice) bool) bool {
	for _, g := range i.Groups {
		for n := range g.Choices {
			if c := &g.Choices[n]; c.OnSale() && like(c) {
				return true
			}
		}
	}
	return false
}
