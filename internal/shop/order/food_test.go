package order_test

import (
	"reflect"
	"strings"
	"testing"

	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
)

// choice makes a choice from a word: "Oat:gluten" adds gluten, "Soy:" adds nothing, "Nut" has unknown allergens, "Bar:milk!" is sold out.
func choice(word string) order.Choice {
	name, rest, known := strings.Cut(word, ":")
	codes, out := strings.CutSuffix(rest, "!")
	c := order.Choice{Choice: menu.Choice{Name: name, Available: true, Food: menu.Food{AllergensKnown: known}}, SoldOut: out}
	may, isMay := strings.CutPrefix(codes, "?")
	switch {
	case isMay:
		c.MayContain = strings.Split(may, "+")
	case codes != "":
		c.Contains = strings.Split(codes, "+")
	}
	return c
}

// with returns a vegan item that contains gluten and has a group for each text: "1 Full:milk Oat:gluten" requires one of two choices.
func with(groups ...string) *order.Item {
	item := &order.Item{Item: menu.Item{Food: menu.Food{AllergensKnown: true, Contains: []string{"gluten"}}, Diets: []string{"vegan"}}}
	for _, text := range groups {
		words := strings.Fields(text)
		g := &order.Group{Group: menu.Group{Name: "Group", Min: int(words[0][0] - '0'), Max: 3}}
		for _, word := range words[1:] {
			g.Choices = append(g.Choices, choice(word))
		}
		item.Groups = append(item.Groups, g)
	}
	return item
}

func TestFit(t *testing.T) {
	t.Parallel()
	unknown := with("1 Oat:")
	unknown.AllergensKnown = false
	for name, tt := range map[string]struct {
		item  *order.Item
		asked string
		want  order.Fit
	}{
		"nothing asked":                              {with("1 Full:milk"), "", order.Fit{OK: true}},
		"no options":                                 {with(), "milk", order.Fit{OK: true}},
		"the item itself contains it":                {with("1 Oat:"), "gluten", order.Fit{}},
		"every mandatory choice contains it":         {with("1 Full:milk Skim:milk"), "milk", order.Fit{}},
		"one choice avoids it":                       {with("1 Full:milk Oat:"), "milk", order.Fit{OK: true, Not: []string{"Full"}}},
		"the choice that avoids it is sold out":      {with("1 Full:milk Oat:!"), "milk", order.Fit{}},
		"every choice may contain it":                {with("1 Full:?milk"), "milk", order.Fit{}},
		"two choices are required and one avoids it": {with("2 Full:milk Oat: Skim:milk"), "milk", order.Fit{}},
		"each choice avoids one of two":              {with("1 Full:milk Nut:nuts"), "milk nuts", order.Fit{}},
		"an extra contains it":                       {with("0 Feta:milk Egg:egg"), "milk", order.Fit{OK: true, Not: []string{"Feta"}}},
		"all extras contain it":                      {with("0 Feta:milk Brie:milk"), "milk", order.Fit{OK: true, Not: []string{"Group"}}},
		"all choices are unknown":                    {with("1 Full Oat"), "milk", order.Fit{Unknown: true}},
		"one choice is unknown":                      {with("1 Full Oat:"), "milk", order.Fit{OK: true, Not: []string{"Full"}}},
		"the only other choice is unknown":           {with("1 Full Oat:milk"), "milk", order.Fit{Unknown: true}},
		"an extra is unknown":                        {with("0 Feta"), "milk", order.Fit{OK: true, Not: []string{"Feta"}}},
		"the item is unknown":                        {unknown, "milk", order.Fit{Unknown: true}},
		"one group is unknown, another rules it out": {with("1 Full", "1 Skim:milk"), "milk", order.Fit{}},
		"wheat contains gluten":                      {with("1 Bun:wheat"), "gluten", order.Fit{}},
		"a diet that rules out a choice":             {with("1 Full:milk Oat:"), "vegan", order.Fit{OK: true, Not: []string{"Full"}}},
		"a diet that every choice rules out":         {with("1 Full:milk"), "vegan", order.Fit{}},
		"a diet that the item does not suit":         {with(), "halal", order.Fit{}},
		"a hidden choice does not count":             {with("1 Full:milk! Oat:"), "milk", order.Fit{OK: true}},
		"a diet ignores unknown choices":             {with("1 Small Large"), "vegan", order.Fit{OK: true}},
	} {
		if got := tt.item.Fit(strings.Fields(tt.asked)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestTold(t *testing.T) {
	t.Parallel()
	gluten := []string{"gluten"}
	for name, tt := range map[string]struct {
		item *order.Item
		want menu.AllergenFacts
	}{
		"no options":           {with(), menu.AllergenFacts{Known: true, Contains: gluten}},
		"always":               {with("1 Full:milk Skim:milk+soy"), menu.AllergenFacts{Known: true, Contains: []string{"gluten", "milk"}, Depends: []string{"soy"}}},
		"sometimes":            {with("1 Full:milk Oat:?soy"), menu.AllergenFacts{Known: true, Contains: gluten, Depends: []string{"milk", "soy"}}},
		"extras":               {with("0 Feta:milk"), menu.AllergenFacts{Known: true, Contains: gluten, Depends: []string{"milk"}}},
		"what is said already": {with("0 Bun:gluten"), menu.AllergenFacts{Known: true, Contains: gluten}},
		"nobody knows":         {with("0 Bun"), menu.AllergenFacts{Known: true, Contains: gluten, Ask: true}},
	} {
		if got := tt.item.AllergenFacts(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
