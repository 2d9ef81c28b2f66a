package menu

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Limits, in characters and numbers of things.
const (
	MostName        = 80  // characters of an item's or a category's name
	MostDescription = 500 // characters of an item's description
	MostNote        = 140 // characters of a guest's note that an item may allow
	MostLoc         = 40  // characters of a location
	MostChoices     = 50  // choices of an option group
	MostAsked       = 12  // groups of one item

	// MostGroupForm is how many bytes the form of a group may have: of each choice a name, whose characters take up to four bytes, escaped as
	// three characters each, and what it says of each allergen.
	MostGroupForm = (MostChoices + 2) * (MostName*4*3 + 1024)
)

// bounds are how much a menu may have of each thing that size counts, which is what a large restaurant has: its pages are made for anybody
// who asks. A menu that has more already may keep it.
var bounds = [...]struct {
	most int
	text string
}{
	{100, "A menu has at most 100 categories."},
	{1_000, "A menu has at most 1,000 items."},
	{200, "A menu has at most 200 sets of options."},
	{3_000, "The options of a menu have at most 3,000 choices together."},
	{20_000, "The items of a menu offer at most 20,000 choices together. Let fewer items ask the long options."},
}

func (m *Menu) size() (n [len(bounds)]int) {
	n[0], n[1], n[2] = len(m.Categories), m.Count(), len(m.Groups)
	choices := map[int64]int{}
	for _, g := range m.Groups {
		choices[g.ID] = len(g.Choices)
		n[3] += len(g.Choices)
	}
	for _, c := range m.Categories {
		for _, i := range c.Items {
			for _, g := range i.Groups {
				n[4] += choices[g]
			}
		}
	}
	return n
}

// overfull says what a menu has too much of, and more than it had before; "" if there is nothing.
func (m *Menu) overfull(before [len(bounds)]int) string {
	for n, count := range m.size() {
		if count > max(bounds[n].most, before[n]) {
			return bounds[n].text
		}
	}
	return ""
}

// Sentences that more than one check says.
const (
	WrongPrice     = "Enter a price like 4.50."
	WrongNote      = "Choose a note length from 1 to 140 characters."
	WrongNumber    = "Enter how many choices a guest may make: at least 1, and not fewer than must be made."
	WrongAllergens = "Tick what it contains or may contain, or choose another answer."
	wrongPicture   = "The business has no such picture. Upload it again, or leave it out."
)

var pictureForm = regexp.MustCompile(`^(img/[a-z0-9/_-]{1,100}\.(svg|png|jpg|webp)|/picture/[0-9a-zA-Z_-]{1,100})$`)

// taken says that a name is not unique among things of a kind.
func taken(kind string) string { return "Another " + kind + " has this name. Choose a different one." }

// KindNames are what people call the kinds of parts.
var KindNames = map[string]string{"category": "category", "item": "item", "group": "set of options"}

// CheckCategory returns a category without its items in tidy form, and its problems. It is new if its ID is 0.
func (m *Menu) CheckCategory(c Category) (Category, fault.Problems) {
	c, problems := c.check()
	if slices.ContainsFunc(m.Categories, func(other Category) bool { return other.ID != c.ID && same(other.Name, c.Name) }) {
		problems["name"] = taken("category")
	}
	return c, problems
}

func (c Category) check() (Category, fault.Problems) {
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&c.Name, MostName, "name", "Enter a name for the category."))
	hours, wrong := clock.TidyHours(c.Hours, nil)
	problems.Note("hours", wrong)
	c.Hours = hours
	hours, wrong = clock.TidyHours(c.OtherHours, nil)
	problems.Note("otherHours", wrong)
	c.OtherHours = hours
	return c, problems
}

// CheckItem returns an item in tidy form and its problems, by the names of its fields in JSON. It is new if its ID is 0. locations are
// those of the shop; nil allows any.
func (m *Menu) CheckItem(item Item, locations []string) (Item, fault.Problems) {
	item, problems := item.check(locations)
	for _, c := range m.Categories {
		if slices.ContainsFunc(c.Items, func(other Item) bool { return other.ID != item.ID && same(other.Name, item.Name) }) {
			problems["name"] = taken("item")
		}
	}
	m.checkAsked(item, problems)
	return item, problems
}

// check does what can be done without the rest of the menu.
func (i Item) check(locations []string) (Item, fault.Problems) {
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&i.Name, MostName, "name", "Enter a name for the item."))
	problems.Note("description", typed.Tidy(&i.Description, MostDescription, "description", ""))
	problems.Note("loc", typed.Tidy(&i.Loc, MostLoc, "location", "Choose where this is made."))
	if locations != nil && problems["loc"] == "" && !slices.Contains(locations, i.Loc) {
		problems["loc"] = "Choose one of the locations in your business details."
	}
	if i.Price < 0 || i.Price > money.Max {
		problems["priceMinor"] = WrongPrice
	}
	if i.OtherPrice != nil && (*i.OtherPrice < 0 || *i.OtherPrice > money.Max) {
		problems["otherPriceMinor"] = WrongPrice
	}
	if i.Picture != "" && !pictureForm.MatchString(i.Picture) {
		problems["picture"] = wrongPicture
	}
	if i.NoteMax < 0 || i.NoteMax > MostNote {
		problems["noteMax"] = WrongNote
	}
	i.Food = i.Food.check(problems, "")
	var ok bool
	if i.Diets, ok = sorted(Diets, i.Diets); !ok {
		problems["diets"] = "Choose from the list of diets."
	}
	for _, diet := range i.Diets {
		if slices.ContainsFunc(never[diet], func(code string) bool { return slices.Contains(i.Contains, code) }) {
			problems["diets"] = "This diet does not fit what the item contains."
		}
	}
	hours, wrong := clock.TidyHours(i.Hours, nil)
	problems.Note("hours", wrong)
	i.Hours = hours
	return i, problems
}

// checkAsked checks the groups of an item and its lowest price.
func (m *Menu) checkAsked(item Item, problems fault.Problems) {
	var options int64
	for n, id := range item.Groups {
		group := m.Group(id)
		switch {
		case group == nil:
			problems["groups"] = "Choose options of this menu."
			continue
		case slices.Contains(item.Groups[:n], id):
			problems["groups"] = "Choose the same options once."
		case n >= MostAsked:
			problems["groups"] = "An item has at most 12 sets of options."
		}
		options += group.lowest()
	}
	const below = "With its cheapest options this item would cost less than nothing. Raise the price."
	if item.Price+options < 0 && problems["priceMinor"] == "" {
		problems["priceMinor"] = below
	}
	if item.OtherPrice != nil && *item.OtherPrice+options < 0 && problems["otherPriceMinor"] == "" {
		problems["otherPriceMinor"] = below
	}
}

// check returns the food in tidy form, and notes the problems below the name of its field.
func (f Food) check(problems fault.Problems, at string) Food {
	const unknown = "Choose from the list of allergens."
	contains, ok := sorted(Allergens, f.Contains)
	switch {
	case !ok:
		problems[at+"contains"] = unknown
	case !f.AllergensKnown && len(f.Contains)+len(f.MayContain) > 0:
		problems[at+"contains"] = "Say that the allergens are known before you list them."
	}
	may, ok := sorted(Allergens, f.MayContain)
	switch {
	case !ok:
		problems[at+"mayContain"] = unknown
	case slices.ContainsFunc(may, func(code string) bool { return slices.Contains(contains, code) }):
		problems[at+"mayContain"] = "Tick an allergen under “contains” or “may contain”, not both."
	}
	return Food{f.AllergensKnown, contains, may}
}

// CheckGroup returns a group in tidy form and its problems. Those of the third choice are at "choices.2.name" and "choices.2.priceMinor".
// It is new if its ID is 0.
func (m *Menu) CheckGroup(g Group) (Group, fault.Problems) {
	g, problems := g.check()
	if slices.ContainsFunc(m.Groups, func(other Group) bool { return other.ID != g.ID && same(other.Name, g.Name) }) {
		problems["name"] = taken("set of options")
	}
	if len(problems) > 0 || g.ID == 0 {
		return g, problems
	}
	before := m.Group(g.ID)
	for _, item := range m.Users(g.ID) {
		lowest := item.Price + g.lowest() - before.lowest()
		if item.OtherPrice != nil {
			lowest = min(lowest, *item.OtherPrice+g.lowest()-before.lowest())
		}
		for _, id := range item.Groups {
			if other := m.Group(id); other != nil {
				lowest += other.lowest()
			}
		}
		if lowest < 0 {
			problems["choices"] = "With these choices an item would cost less than nothing."
		}
	}
	return g, problems
}

func (g Group) check() (Group, fault.Problems) {
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&g.Name, MostName, "name", "Enter a name for the options."))
	g.Choices = slices.Clone(g.Choices)
	offered, preset := 0, 0
	for n := range g.Choices {
		c, at := &g.Choices[n], "choices."+strconv.Itoa(n)+"."
		problems.Note(at+"name", typed.Tidy(&c.Name, MostName, "name", "Enter a name for the choice."))
		if slices.ContainsFunc(g.Choices[:n], func(other Choice) bool { return same(other.Name, c.Name) }) {
			problems[at+"name"] = taken("choice")
		}
		if c.Price < -money.Max || c.Price > money.Max {
			problems[at+"priceMinor"] = WrongPrice
		}
		c.Food = c.check(problems, at)
		if c.Available {
			offered++
			if c.Preset {
				preset++
			}
		}
	}
	switch {
	case len(g.Choices) == 0:
		problems["choices"] = "Enter at least one choice."
	case len(g.Choices) > MostChoices:
		problems["choices"] = "A group has at most 50 choices."
	case preset > g.Max:
		problems["choices"] = "More choices are selected by default than a guest may make."
	}
	switch {
	case g.Min < 0 || g.Max < 1 || g.Max > MostChoices || g.Min > g.Max:
		problems["max"] = WrongNumber
	case g.Min > offered:
		problems["max"] = "A guest must make more choices than there are. Add choices or lower the number."
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

// Fault is what is wrong with a part of a menu, or with a file.
type Fault struct {
	Kind, Name, Field string // "category", "item" or "group", the name of that part and its field; "" for a file
	Row               int    // of a file, as a spreadsheet counts, the headings being 1; 0 if it is not about a row
	Column            string // of a file; "" if it is not about a column
	Text              string // for the person who made the menu
}

// String says where the fault is and what it is, without repeating a card number.
func (f Fault) String() string {
	var where []string
	if f.Row > 0 {
		where = append(where, "row "+strconv.Itoa(f.Row))
	}
	if f.Column != "" {
		where = append(where, "column "+f.Column)
	}
	switch name := printable.Short(f.Name); {
	case f.Kind == "":
	case card.HoldsCard(f.Name):
		where = append(where, "a "+f.Kind)
	case name == "":
		where = append(where, "a "+f.Kind+" without a name")
	default:
		where = append(where, name)
	}
	if len(where) == 0 {
		return f.Text
	}
	text := strings.Join(where, ", ")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + ": " + f.Text
}

// mostFaults is how many faults are listed at once.
const mostFaults = 20

// limited returns the first of many faults, and says how many more there are.
func limited(faults []Fault) []Fault {
	if n := len(faults); n > mostFaults {
		return append(faults[:mostFaults], Fault{Text: fmt.Sprintf("And %d more.", n-mostFaults)})
	}
	return faults
}

// Check returns the menu in tidy form with its faults, in the order of the menu: the first of them, if there are many.
func (m *Menu) Check(locations []string) (Menu, []Fault) {
	tidy, faults, seen := m.Clone(), []Fault(nil), map[string]bool{}
	note := func(kind, name string, problems fault.Problems) {
		if at := key(kind, name); !seen[at] {
			seen[at] = true
		} else if problems["name"] == "" {
			problems["name"] = taken(KindNames[kind])
		}
		for _, field := range slices.Sorted(maps.Keys(problems)) {
			faults = append(faults, Fault{Kind: kind, Name: name, Field: field, Text: problems[field]})
		}
	}
	for n, g := range tidy.Groups {
		g, problems := g.check()
		note("group", g.Name, problems)
		tidy.Groups[n] = g
	}
	for n := range tidy.Categories {
		c, problems := tidy.Categories[n].check()
		note("category", c.Name, problems)
		tidy.Categories[n] = c
		for k, item := range c.Items {
			item, problems := item.check(locations)
			tidy.checkAsked(item, problems)
			note("item", item.Name, problems)
			c.Items[k] = item
		}
	}
	return tidy, limited(faults)
}

// key names a part of a menu.
func key(kind, name string) string { return kind + " " + typed.Alike(name) }
