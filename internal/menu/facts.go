package menu

import (
	"strconv"
	"strings"

	"forecourt/internal/money"
)

// Fact is one property of an item, category or group, in words.
type Fact struct{ Field, Label, Text string }

// Facts returns all properties of an item of the menu, with prices in a currency. Every item has the same ones, in the same order.
func (m *Menu) Facts(i Item, currency string) []Fact {
	note := "Off"
	if i.NoteMax > 0 {
		note = "Up to " + strconv.Itoa(i.NoteMax) + " characters"
	}
	return []Fact{
		{"name", "Name", i.Name}, {"description", "Description", i.Description}, {"priceMinor", "Price", money.Price(i.Price, currency)},
		{"picture", "Picture", i.Picture}, {"loc", "Made at", i.Loc}, {"available", "Shown to guests", yesNo(i.Available)},
		{"contains", "Allergens", allergenText(i.AllergensKnown, i.Contains)}, {"mayContain", "May contain", allergenText(i.AllergensKnown, i.MayContain)},
		{"diets", "Diets", strings.Join(Names(Diets, i.Diets), ", ")}, {"hours", "Hours", nonempty(i.Hours, "Always")},
		{"noteMax", "Note to the kitchen", note}, {"groups", "Option groups", strings.Join(m.groupNames(i.Groups), ", ")},
	}
}

func allergenText(known bool, codes []string) string {
	switch {
	case !known:
		return "Unknown"
	case len(codes) == 0:
		return "None"
	default:
		return strings.Join(Names(Allergens, codes), ", ")
	}
}

func yesNo(is bool) string {
	if is {
		return "Yes"
	}
	return "No"
}

// Facts returns all properties of a group, with prices in a currency.
func (g *Group) Facts(currency string) []Fact {
	var choices []string
	for _, c := range g.Choices {
		text := Named(c.Name, c.Contains, c.MayContain)
		if c.Price != 0 {
			text += " " + money.Change(c.Price, currency)
		}
		if c.Preset {
			text += " (selected by default)"
		}
		if !c.Available {
			text += " (hidden)"
		}
		if c.AllergensKnown && len(c.Contains)+len(c.MayContain) == 0 {
			text += " (adds no allergens)"
		}
		choices = append(choices, text)
	}
	return []Fact{{"name", "Name", g.Name}, {"max", "Guests choose", g.Rule()}, {"choices", "Choices", strings.Join(choices, ", ")}}
}

// Rule says how many choices a guest makes.
func (g *Group) Rule() string {
	least, most := strconv.Itoa(g.Min), strconv.Itoa(g.Max)
	switch {
	case g.Min == 1 && g.Max == 1:
		return "one"
	case g.Min == g.Max:
		return most
	case g.Min == 0:
		return "up to " + most
	default:
		return least + " to " + most
	}
}

// Facts returns all properties of a category except its items.
func (c Category) Facts() []Fact {
	return []Fact{{"name", "Name", c.Name}, {"hours", "Hours", nonempty(c.Hours, "Always")}}
}

// EntryFacts is Facts with the item's category.
func (m *Menu) EntryFacts(e Entry, currency string) []Fact {
	name := ""
	if c := m.Category(e.Category); c != nil {
		name = c.Name
	}
	return append(m.Facts(e.Item, currency), Fact{"category", "Category", name})
}
