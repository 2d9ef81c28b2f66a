package desk

import (
	"strconv"

	"forecourt/internal/shop/menu"
	"forecourt/views/ui"
)

// The answers to what something contains.
const (
	unstated = "unknown"
	free     = "none"
	some     = "some"
)

// answer returns the answer that fits what is stated.
func answer(known bool, contains, mayContain []string) string {
	switch {
	case !known:
		return unstated
	case len(contains)+len(mayContain) == 0:
		return free
	default:
		return some
	}
}

// Stated reports whether an answer states what something contains.
func Stated(answer string) bool { return answer == free || answer == some }

func allergenWays(chosen string) []ui.Option {
	list := []ui.Option{
		{Value: "unknown", Label: "Not stated", Hint: "We ask guests to check with you, and never show the item as free of an allergen."},
		{Value: "none", Label: "Free of all of them", Hint: "Choose this only if you have checked every ingredient."},
		{
			Value: "some", Label: "Contains or may contain some",
			Hint: "Tick them below. The item counts as free of those that you leave unticked.",
		},
	}
	for i := range list {
		list[i].Chosen = list[i].Value == chosen
	}
	return list
}

func boxesOf(kinds []menu.Kind, chosen []string) (list []ui.Option) {
	has := map[string]bool{}
	for _, code := range chosen {
		has[code] = true
	}
	for _, k := range kinds {
		list = append(list, ui.Option{Value: k.Code, Label: k.Name, Chosen: has[k.Code]})
	}
	return list
}

// Unticked reports whether the boxes of a choice do not fit its answer.
func (t TypedChoice) Unticked() bool {
	return (len(t.Contains)+len(t.MayContain) > 0) != (t.Allergens == some)
}

// Free notes that a choice adds no allergens.
func (t *TypedChoice) Free() {
	t.Allergens, t.AllergensKnown, t.Contains, t.MayContain = free, true, nil, nil
}

// choiceFood adds the fields about allergens to a row.
func choiceFood(row *ChoiceRow, t TypedChoice, problems menu.Problems) {
	at := "choices." + strconv.Itoa(row.N) + "."
	field := func(key, label string) ui.Field {
		return problemField("group", problems, ui.Field{ID: at + key, Name: at + key, Label: label}, at+key)
	}
	answer := t.Allergens
	if answer != free && answer != some {
		answer = unstated
	}
	row.Allergens = ui.Choice{Field: field("allergens", "What does it add?"), Options: []ui.Option{
		{Value: unstated, Label: "Not stated", Chosen: answer == unstated},
		{Value: free, Label: "No allergens", Chosen: answer == free},
		{Value: some, Label: "Contains or may contain some", Chosen: answer == some},
	}}
	row.Contains = ui.Choice{Field: field("contains", "Contains"), Options: boxesOf(menu.Allergens, t.Contains)}
	row.MayContain = ui.Choice{Field: field("mayContain", "May contain traces of"), Options: boxesOf(menu.Allergens, t.MayContain)}
	row.Food = map[string]string{unstated: "not stated", free: "none added", some: menu.Contained(t.Contains, t.MayContain)}[answer]
}
