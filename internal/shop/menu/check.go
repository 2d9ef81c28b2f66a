package menu

import (
	"regexp"
	"slices"
	"strings"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// Problem is why a field is refused.
type Problem string

// The problems.
const (
	Missing           = Problem(printable.Missing)
	Long              = Problem(printable.Long)
	Unfit             = Problem(printable.Unfit) // malformed
	HoldsCard         = Problem(printable.Card)
	Unknown   Problem = "unknown" // it names something that is not there
	Twice     Problem = "twice"   // the name is taken, or a thing is listed twice
	Many      Problem = "many"
	Below     Problem = "below"   // the cheapest choices make the price negative
	Clash     Problem = "clash"   // it contradicts another field
	Overlap   Problem = "overlap" // two times overlap
)

// Problems are the problems of one thing, by field.
type Problems map[string]Problem

// Limits, in characters and numbers of things.
const (
	MostName        = 80   // characters of an item's or a category's name
	MostDescription = 500  // characters of an item's description
	MostNote        = 140  // characters of a guest's note that an item may allow
	MostLoc         = 40   // characters of a location
	MostCategories  = 100  // categories of a menu
	MostItems       = 2000 // items of a menu
	MostGroups      = 300  // option groups of a menu
	MostChoices     = 50   // choices of an option group
	MostAsked       = 12   // groups of one item
)

var pictureForm = regexp.MustCompile(`^(img/[a-z0-9/_-]{1,100}\.(svg|png|jpg|webp)|/picture/[0-9a-zA-Z_-]{1,100})$`)

// Pictures lists the addresses of the pictures of shops that the menu names. Assets belong to every shop.
func (m *Menu) Pictures() (addresses []string) {
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if strings.HasPrefix(i.Picture, "/picture/") {
				addresses = append(addresses, i.Picture)
			}
		}
	}
	return addresses
}

// RefusePictures returns a fault for each item with one of these pictures, which the shop may not show.
func (m *Menu) RefusePictures(foreign []string) (faults []Fault) {
	refused := map[string]bool{}
	for _, address := range foreign {
		refused[address] = true
	}
	for _, c := range m.Categories {
		for _, i := range c.Items {
			if refused[i.Picture] {
				faults = append(faults, Fault{"item", i.Name, "picture", Unfit})
			}
		}
	}
	return faults
}

// line tidies a text and notes its problem.
func line(problems Problems, field string, value *string, most int, required bool) {
	tidy, fault := printable.Tidy(*value, most, required)
	if *value = tidy; fault != "" {
		problems[field] = Problem(fault)
	}
}

// same reports whether people would take two names for the same.
func same(a, b string) bool { return strings.EqualFold(a, b) }

// CheckCategory returns a category without its items in tidy form, and its problems. It is new if its ID is 0.
func (m *Menu) CheckCategory(c Category) (Category, Problems) {
	c, problems := c.check()
	for _, other := range m.Categories {
		if other.ID != c.ID && same(other.Name, c.Name) {
			problems["name"] = Twice
		}
	}
	if c.ID == 0 && len(m.Categories) >= MostCategories {
		problems["name"] = Many
	}
	return c, problems
}

func (c Category) check() (Category, Problems) {
	problems := Problems{}
	line(problems, "name", &c.Name, MostName, true)
	var hours clock.HoursProblem
	if c.Hours, hours = clock.TidyHours(c.Hours); hours != "" {
		problems["hours"] = Problem(hours)
	}
	return c, problems
}

// CheckItem returns an item in tidy form and its problems, by the names of its fields in JSON. It is new if its ID is 0. locations are
// those of the shop; nil allows any.
func (m *Menu) CheckItem(item Item, locations []string) (Item, Problems) {
	item, problems := item.check()
	if locations != nil && problems["loc"] == "" && !slices.Contains(locations, item.Loc) {
		problems["loc"] = Unknown
	}
	for _, c := range m.Categories {
		if slices.ContainsFunc(c.Items, func(other Item) bool { return other.ID != item.ID && same(other.Name, item.Name) }) {
			problems["name"] = Twice
		}
	}
	if item.ID == 0 && m.Count() >= MostItems {
		problems["name"] = Many
	}
	m.checkAsked(item, problems)
	return item, problems
}

// checkAsked checks the groups of an item and its lowest price.
func (m *Menu) checkAsked(item Item, problems Problems) {
	lowest := item.Price
	for n, id := range item.Groups {
		group := m.Group(id)
		switch {
		case group == nil:
			problems["groups"] = Unknown
			continue
		case slices.Contains(item.Groups[:n], id):
			problems["groups"] = Twice
		case n >= MostAsked:
			problems["groups"] = Many
		}
		lowest += group.lowest()
	}
	if lowest < 0 && problems["priceMinor"] == "" {
		problems["priceMinor"] = Below
	}
}

// allergensOf returns what an item or a choice contains and may contain in tidy form, and notes the problems below the name of its field.
func allergensOf(problems Problems, at string, known bool, contains, mayContain []string) (tidyContains, tidyMay []string) {
	tidyContains, ok := sorted(Allergens, contains)
	switch {
	case !ok:
		problems[at+"contains"] = Unknown
	case !known && len(contains)+len(mayContain) > 0:
		problems[at+"contains"] = Clash
	}
	tidyMay, ok = sorted(Allergens, mayContain)
	switch {
	case !ok:
		problems[at+"mayContain"] = Unknown
	case slices.ContainsFunc(tidyMay, func(code string) bool { return slices.Contains(tidyContains, code) }):
		problems[at+"mayContain"] = Clash
	}
	return tidyContains, tidyMay
}

// check does what can be done without the rest of the menu.
func (i Item) check() (Item, Problems) {
	problems := Problems{}
	line(problems, "name", &i.Name, MostName, true)
	line(problems, "description", &i.Description, MostDescription, false)
	line(problems, "loc", &i.Loc, MostLoc, true)
	if i.Price < 0 || i.Price > money.Max {
		problems["priceMinor"] = Unfit
	}
	if i.Picture != "" && !pictureForm.MatchString(i.Picture) {
		problems["picture"] = Unfit
	}
	if i.NoteMax < 0 || i.NoteMax > MostNote {
		problems["noteMax"] = Unfit
	}
	i.Contains, i.MayContain = allergensOf(problems, "", i.AllergensKnown, i.Contains, i.MayContain)
	var ok bool
	if i.Diets, ok = sorted(Diets, i.Diets); !ok {
		problems["diets"] = Unknown
	}
	for _, diet := range i.Diets {
		if slices.ContainsFunc(never[diet], func(code string) bool { return slices.Contains(i.Contains, code) }) {
			problems["diets"] = Clash
		}
	}
	var hours clock.HoursProblem
	if i.Hours, hours = clock.TidyHours(i.Hours); hours != "" {
		problems["hours"] = Problem(hours)
	}
	return i, problems
}
