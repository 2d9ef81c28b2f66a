package menu

import (
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/money"
)

// CheckGroup returns a group in tidy form and its problems. Those of the third choice are at "choices.2.name" and "choices.2.priceMinor".
// It is new if its ID is 0.
func (m *Menu) CheckGroup(g Group) (Group, Problems) {
	g, problems := g.check()
	if slices.ContainsFunc(m.Groups, func(other Group) bool { return other.ID != g.ID && same(other.Name, g.Name) }) {
		problems["name"] = Twice
	}
	if g.ID == 0 && len(m.Groups) >= MostGroups {
		problems["name"] = Many
	}
	if len(problems) > 0 || g.ID == 0 {
		return g, problems
	}
	before := m.Group(g.ID)
	for _, item := range m.Users(g.ID) {
		lowest := item.Price + g.lowest() - before.lowest()
		for _, id := range item.Groups {
			if other := m.Group(id); other != nil {
				lowest += other.lowest()
			}
		}
		if lowest < 0 {
			problems["choices"] = Below
		}
	}
	return g, problems
}

func (g Group) check() (Group, Problems) {
	problems := Problems{}
	line(problems, "name", &g.Name, MostName, true)
	g.Choices = slices.Clone(g.Choices)
	offered, preset := 0, 0
	for n := range g.Choices {
		c, at := &g.Choices[n], "choices."+strconv.Itoa(n)
		line(problems, at+".name", &c.Name, MostName, true)
		if slices.ContainsFunc(g.Choices[:n], func(other Choice) bool { return same(other.Name, c.Name) }) {
			problems[at+".name"] = Twice
		}
		if c.Price < -money.Max || c.Price > money.Max {
			problems[at+".priceMinor"] = Unfit
		}
		c.Contains, c.MayContain = allergensOf(problems, at+".", c.AllergensKnown, c.Contains, c.MayContain)
		if c.Available {
			offered++
			if c.Preset {
				preset++
			}
		}
	}
	switch {
	case len(g.Choices) == 0:
		problems["choices"] = Missing
	case len(g.Choices) > MostChoices:
		problems["choices"] = Many
	case preset > g.Max:
		problems["choices"] = Clash
	}
	switch {
	case g.Min < 0 || g.Max < 1 || g.Max > MostChoices || g.Min > g.Max:
		problems["max"] = Unfit
	case g.Min > offered:
		problems["max"] = Clash
	}
	return g, problems
}

// lowest returns the least that the group's choices add to a price.
func (g *Group) lowest() (sum int64) {
	var prices []int64
	for _, c := range g.Choices {
		if c.Available {
			prices = append(prices, c.Price)
		}
	}
	slices.Sort(prices)
	for n, price := range prices {
		if n < g.Min || n < g.Max && price < 0 {
			sum += price
		}
	}
	return sum
}

// Fault is what is wrong with one part of a menu.
type Fault struct {
	Kind    string // "category", "item", "group", or "menu" for the whole
	Name    string
	Field   string
	Problem Problem
}

// Check returns the menu in tidy form with its faults, in the order of the menu.
func (m *Menu) Check(locations []string) (Menu, []Fault) {
	tidy, faults := m.Clone(), []Fault(nil)
	note := func(kind, name string, problems Problems) {
		fields := make([]string, 0, len(problems))
		for field := range problems {
			fields = append(fields, field)
		}
		slices.Sort(fields)
		for _, field := range fields {
			faults = append(faults, Fault{kind, name, field, problems[field]})
		}
	}
	seen := map[string]bool{}
	take := func(problems Problems, kind, name string) {
		key := kind + " " + strings.ToLower(name)
		if seen[key] && problems["name"] == "" {
			problems["name"] = Twice
		}
		seen[key] = true
	}
	for n, g := range tidy.Groups {
		g, problems := g.check()
		take(problems, "group", g.Name)
		if n == MostGroups {
			problems["name"] = Many
		}
		note("group", g.Name, problems)
		tidy.Groups[n] = g
	}
	count := 0
	for n := range tidy.Categories {
		c := &tidy.Categories[n]
		checked, problems := c.check()
		c.Name, c.Hours = checked.Name, checked.Hours
		take(problems, "category", c.Name)
		if n == MostCategories {
			problems["name"] = Many
		}
		note("category", c.Name, problems)
		for k, item := range c.Items {
			item, problems := item.check()
			take(problems, "item", item.Name)
			if locations != nil && problems["loc"] == "" && !slices.Contains(locations, item.Loc) {
				problems["loc"] = Unknown
			}
			if count++; count == MostItems+1 {
				problems["name"] = Many
			}
			tidy.checkAsked(item, problems)
			note("item", item.Name, problems)
			c.Items[k] = item
		}
	}
	return tidy, faults
}
