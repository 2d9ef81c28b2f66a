package menu_test

import (
	"fmt"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/menu"
)

// cafe returns a small menu that uses every feature of menus.
func cafe() menu.Menu {
	return menu.Menu{
		Categories: []menu.Category{
			{ID: 1, Name: "Coffee", Items: []menu.Item{
				{
					ID: 11, Name: "Flat White", Description: "Double shot", Price: 450, Loc: "Bar", Available: true, Food: menu.Food{AllergensKnown: true, Contains: []string{"milk"}, MayContain: []string{"nuts"}},
					Diets: []string{"vegetarian"}, NoteMax: 60, Groups: []int64{21, 22},
				},
				{ID: 12, Name: "Tap Water", Loc: "Bar", Available: true, Food: menu.Food{AllergensKnown: true}},
			}},
			{ID: 2, Name: "Food", Items: []menu.Item{
				{
					ID: 13, Name: "Toast, \"thick\"", Price: 900, Loc: "Kitchen", Picture: "/picture/bread",
					Hours: "Mon 07:00-11:30; Sat 18:00-02:00; 25 Dec 2026 closed; 31 Dec 2026 09:00-24:00",
				},
			}},
		},
		Groups: []menu.Group{
			{ID: 21, Name: "Size", Min: 1, Max: 1, Choices: []menu.Choice{
				{ID: 31, Name: "Small", Price: -50, Available: true}, {ID: 32, Name: "Regular", Preset: true, Available: true, Food: menu.Food{AllergensKnown: true}}, {ID: 33, Name: "Bucket", Price: 900},
			}},
			{ID: 22, Name: "Extras", Min: 0, Max: 3, Choices: []menu.Choice{{ID: 34, Name: "Shot", Price: 60, Available: true}, {ID: 35, Name: "Syrup", Price: 50, Available: true, Food: menu.Food{AllergensKnown: true, Contains: []string{"soy"}, MayContain: []string{"nuts"}}}}},
		},
	}
}

func TestItemRules(t *testing.T) {
	t.Parallel()
	good := menu.Item{Name: "Scone", Price: 500, Loc: "Kitchen", Available: true}
	for name, c := range map[string]struct {
		change  func(*menu.Item)
		field   string
		problem string
	}{
		"a free item":                 {func(i *menu.Item) { i.Price = 0 }, "", ""},
		"no name":                     {func(i *menu.Item) { i.Name = "  " }, "name", "Enter a name for the item."},
		"a taken name":                {func(i *menu.Item) { i.Name = " flat  white" }, "name", "Another item has this name. Choose a different one."},
		"a price below zero":          {func(i *menu.Item) { i.Price = -1 }, "priceMinor", "Enter a price like 4.50."},
		"a million":                   {func(i *menu.Item) { i.Price = 100_000_000 }, "priceMinor", "Enter a price like 4.50."},
		"below zero with an option":   {func(i *menu.Item) { i.Price, i.Groups = 49, []int64{21} }, "priceMinor", "With its cheapest options this item would cost less than nothing. Raise the price."},
		"exactly zero with an option": {func(i *menu.Item) { i.Price, i.Groups = 50, []int64{21} }, "", ""},
		"an unknown location":         {func(i *menu.Item) { i.Loc = "Roof" }, "loc", "Choose one of the locations in your business details."},
		"an unknown group":            {func(i *menu.Item) { i.Groups = []int64{99} }, "groups", "Choose options of this menu."},
		"a group twice":               {func(i *menu.Item) { i.Groups = []int64{21, 21} }, "groups", "Choose the same options once."},
		"allergens without knowing":   {func(i *menu.Item) { i.Contains = []string{"egg"} }, "contains", "Say that the allergens are known before you list them."},
		"an unknown allergen":         {func(i *menu.Item) { i.AllergensKnown, i.Contains = true, []string{"kryptonite"} }, "contains", "Choose from the list of allergens."},
		"contains and may contain": {func(i *menu.Item) {
			i.AllergensKnown, i.Contains, i.MayContain = true, []string{"egg"}, []string{"egg"}
		}, "mayContain", "Tick an allergen under “contains” or “may contain”, not both."},
		"vegan with egg":           {func(i *menu.Item) { i.AllergensKnown, i.Contains, i.Diets = true, []string{"egg"}, []string{"vegan"} }, "diets", "This diet does not fit what the item contains."},
		"a long note":              {func(i *menu.Item) { i.NoteMax = 141 }, "noteMax", "Choose a note length from 1 to 140 characters."},
		"a picture from elsewhere": {func(i *menu.Item) { i.Picture = "https://example.com/a.png" }, "picture", "The business has no such picture. Upload it again, or leave it out."},
		"hours that overlap":       {func(i *menu.Item) { i.Hours = "Mon 10-12; Mon 11-13:20" }, "hours", "Mon 10:00-12:00 and 11:00-13:20: these times overlap. Join or shorten them."},
		"an invalid date":          {func(i *menu.Item) { i.Hours = "30 Feb 2026 closed" }, "hours", "“30 Feb 2026 closed”: 30 Feb 2026 is not a date. Write it like 25 Dec 2026."},

		"a happy hour below zero with an option": {func(i *menu.Item) { i.OtherPrice, i.Groups = price(49), []int64{21} },
			"otherPriceMinor", "With its cheapest options this item would cost less than nothing. Raise the price."},
		"a free happy hour": {func(i *menu.Item) { i.OtherPrice = price(0) }, "", ""},
		"a negative happy hour price": {func(i *menu.Item) { i.OtherPrice = price(-1) },
			"otherPriceMinor", "Enter a price like 4.50."},
	} {
		m, item := cafe(), good
		c.change(&item)
		_, problems := m.CheckItem(item, []string{"Bar", "Kitchen"})
		if c.field == "" && len(problems) > 0 || c.field != "" && (len(problems) != 1 || problems[c.field] != c.problem) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func price(minor int64) *int64 { return &minor }

func TestAHappyHourIsAmongTheChangesOfADraft(t *testing.T) {
	t.Parallel()
	was := cafe()
	now := was.Clone()
	now.Categories[0].OtherHours, now.Categories[0].Items[0].OtherPrice = "Fri 16:00-18:00", price(400)
	later := now.Clone()
	later.Categories[0].Items[0].OtherPrice = price(350)
	first, second := menu.Compare(&was, &now, "AUD"), menu.Compare(&now, &later, "AUD")
	check.MustEqual(t, len(first)+len(second), 3, "changes")
	check.Equal(t, fmt.Sprint(first[0].Fields, first[1].Fields, second[0].Fields),
		"[{Happy hour Never Fri 16:00-18:00}] [{Happy hour price The same $4.00}] [{Happy hour price $4.00 $3.50}]", "the changes")
}

func TestGroupRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(*menu.Group)
		field   string
		problem string
	}{
		"unchanged":  {func(*menu.Group) {}, "", ""},
		"no choices": {func(g *menu.Group) { g.Choices, g.Min = nil, 0 }, "choices", "Enter at least one choice."},
		"a taken name": {func(g *menu.Group) { g.Name = "extras" }, "name",
			"Another set of options has this name. Choose a different one."},
		"a minimum above the maximum":             {func(g *menu.Group) { g.Min = 2 }, "max", "Enter how many choices a guest may make: at least 1, and not fewer than must be made."},
		"a minimum above the number of choices":   {func(g *menu.Group) { g.Min, g.Max = 3, 3 }, "max", "A guest must make more choices than there are. Add choices or lower the number."},
		"two presets where one choice is allowed": {func(g *menu.Group) { g.Choices[0].Preset = true }, "choices", "More choices are selected by default than a guest may make."},
		"a choice twice":                          {func(g *menu.Group) { g.Choices[1].Name = "small" }, "choices.1.name", "Another choice has this name. Choose a different one."},
		"a choice that looks like another":        {func(g *menu.Group) { g.Choices[1].Name = "sm\u0430ll" }, "choices.1.name", "Another choice has this name. Choose a different one."},
		"an unknown allergen":                     {func(g *menu.Group) { g.Choices[1].Contains = []string{"gold"} }, "choices.1.contains", "Choose from the list of allergens."},
		"soy although its allergens are unknown":  {func(g *menu.Group) { g.Choices[0].Contains = []string{"soy"} }, "choices.0.contains", "Say that the allergens are known before you list them."},
		"milk, perhaps": {func(g *menu.Group) {
			g.Choices[1].Contains, g.Choices[1].MayContain = []string{"milk"}, []string{"milk"}
		}, "choices.1.mayContain", "Tick an allergen under “contains” or “may contain”, not both."},
		"an item below zero": {func(g *menu.Group) { g.Choices[0].Price = -451 }, "choices", "With these choices an item would cost less than nothing."},
	} {
		m := cafe()
		g := m.Clone().Groups[0]
		c.change(&g)
		_, problems := m.CheckGroup(g)
		if c.field == "" && len(problems) > 0 || c.field != "" && (len(problems) != 1 || problems[c.field] != c.problem) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestCheckFindsTheFaultsOfAMenu(t *testing.T) {
	t.Parallel()
	m := cafe()
	if _, faults := m.Check([]string{"Bar", "Kitchen"}); len(faults) > 0 {
		t.Errorf("a good menu: %v", faults)
	}
	m.Categories[1].Items[0].Name, m.Categories[1].Name = "FLAT WHITE", "coffee"
	_, faults := m.Check(nil)
	check.Equal(t, fmt.Sprint(faults), "[Coffee: Another category has this name. Choose a different one. "+
		"FLAT WHITE: Another item has this name. Choose a different one.]", "the faults")
}
