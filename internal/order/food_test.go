package order_test

import (
	"reflect"
	"strings"
	"testing"

	"forecourt/internal/menu"
	"forecourt/internal/order"
)

// choice makes a choice of a word: "Oat:gluten" adds gluten, "Soy:" adds nothing, of "Nut" nobody knows, and "Bar:milk!" is sold out.
func choice(word string) order.Choice {
	name, rest, known := strings.Cut(word, ":")
	codes, out := strings.CutSuffix(rest, "!")
	c := order.Choice{Name: name, Available: true, SoldOut: out, Known: known}
	may, isMay := strings.CutPrefix(codes, "?")
	switch {
	case isMay:
		c.MayContain = strings.Split(may, "+")
	case codes != "":
		c.Contains = strings.Split(codes, "+")
	}
	return c
}

// with returns an item that contains gluten and suits vegans, with a group for each text: "1 Full:milk Oat:gluten" needs one of two.
func with(groups ...string) *order.Item {
	item := &order.Item{Food: order.Food{Known: true, Contains: []string{"gluten"}, Diets: []string{"vegan"}}}
	for _, text := range groups {
		words := strings.Fields(text)
		g := &order.Group{Name: "Group", Min: int(words[0][0] - '0'), Max: 3}
		for _, word := range words[1:] {
			g.Choices = append(g.Choices, choice(word))
		}
		item.Groups = append(item.Groups, g)
	}
	return item
}

func TestWhatSuitsWithItsOptions(t *testing.T) {
	t.Parallel()
	unknown := with("1 Oat:")
	unknown.Known = false
	for name, tt := range map[string]struct {
		item  *order.Item
		asked string
		want  order.Fit
	}{
		"nothing asked":                         {with("1 Full:milk"), "", order.Fit{OK: true}},
		"no options":                            {with(), "milk", order.Fit{OK: true}},
		"the item itself has it":                {with("1 Oat:"), "gluten", order.Fit{}},
		"a mandatory choice always has it":      {with("1 Full:milk Skim:milk"), "milk", order.Fit{}},
		"one avoids it":                         {with("1 Full:milk Oat:"), "milk", order.Fit{OK: true, Not: []string{"Full"}}},
		"the one that avoids it is sold out":    {with("1 Full:milk Oat:!"), "milk", order.Fit{}},
		"it may be in all":                      {with("1 Full:?milk"), "milk", order.Fit{}},
		"two are needed and one avoids it":      {with("2 Full:milk Oat: Skim:milk"), "milk", order.Fit{}},
		"each avoids one of two":                {with("1 Full:milk Nut:nuts"), "milk nuts", order.Fit{}},
		"an extra has it":                       {with("0 Feta:milk Egg:egg"), "milk", order.Fit{OK: true, Not: []string{"Feta"}}},
		"all extras have it":                    {with("0 Feta:milk Brie:milk"), "milk", order.Fit{OK: true, Not: []string{"Group"}}},
		"nobody knows of the choices":           {with("1 Full Oat"), "milk", order.Fit{Unknown: true}},
		"nobody knows of one choice":            {with("1 Full Oat:"), "milk", order.Fit{OK: true, Not: []string{"Full"}}},
		"nobody knows of the one that is left":  {with("1 Full Oat:milk"), "milk", order.Fit{Unknown: true}},
		"nobody knows of an extra":              {with("0 Feta"), "milk", order.Fit{OK: true, Not: []string{"Feta"}}},
		"nobody knows of the item":              {unknown, "milk", order.Fit{Unknown: true}},
		"nobody knows, and a choice rules out":  {with("1 Full", "1 Skim:milk"), "milk", order.Fit{}},
		"wheat has gluten":                      {with("1 Bun:wheat"), "gluten", order.Fit{}},
		"a diet and what it rules out":          {with("1 Full:milk Oat:"), "vegan", order.Fit{OK: true, Not: []string{"Full"}}},
		"a diet that every choice rules out":    {with("1 Full:milk"), "vegan", order.Fit{}},
		"a diet that the item does not suit":    {with(), "halal", order.Fit{}},
		"a hidden choice counts as little":      {with("1 Full:milk! Oat:"), "milk", order.Fit{OK: true}},
		"a diet does not ask for every unknown": {with("1 Small Large"), "vegan", order.Fit{OK: true}},
	} {
		if got := tt.item.Fit(strings.Fields(tt.asked)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestWhatAMenuSaysOfAnItemWithOptions(t *testing.T) {
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
