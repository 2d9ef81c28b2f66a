package menu

import (
	"strconv"
	"strings"

	"forecourt/internal/kit/money"
)

// Fact is one property of an item, category or group, in words.
type Fact struct{ Label, Text string }

// Facts returns all properties of an item of the menu, with prices in a currency. Every item has the same ones, in the same order.
func (m *Menu) Facts(i Item, currency string) []Fact {
	note := "Off"
	if i.NoteMax > 0 {
		note = "Up to " + strconv.Itoa(i.NoteMax) + " characters"
	}
	return []Fact{
		{"Name", i.Name}, {"Description", i.Description}, {"Price", money.Price(i.Price, currency)},
		{"Picture", i.Picture}, {"Made at", i.Loc}, {"Shown to guests", yesNo(i.Available)},
		{"Allergens", allergenText(i.AllergensKnown, i.Contains)}, {"May contain", allergenText(i.AllergensKnown, i.MayContain)},
		{"Diets", strings.Join(Names(Diets, i.Diets), ", ")}, {"Hours", nonempty(i.Hours, "Always")},
		{"Note to the kitchen", note}, {"Option groups", strings.Join(m.groupNames(i.Groups), ", ")},
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
	return []Fact{{"Name", g.Name}, {"Guests choose", g.Rule()}, {"Choices", strings.Join(choices, ", ")}}
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
	return []Fact{{"Name", c.Name}, {"Hours", nonempty(c.Hours, "Always")}}
}
