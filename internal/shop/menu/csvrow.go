package menu

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// readItem reads the row of an item into the menu. Items of a category need not be together.
func (t *table) readItem(row record) {
	name, _ := t.cell(row, colName)
	item := Item{Available: true, Loc: "Kitchen"}
	if was := t.was(row, name); was != nil {
		item = *was
	} else if len(t.base.Categories) > 0 && len(t.base.Categories[0].Items) > 0 {
		item.Loc = t.base.Categories[0].Items[0].Loc
	}
	item.Name = strings.Join(strings.Fields(name), " ")
	t.set(row, colDescription, func(cell string) string { item.Description = cell; return "" })
	t.set(row, colPrice, func(cell string) (text string) { item.Price, text = amount(cell, false); return text })
	t.set(row, colLoc, func(cell string) string { item.Loc = nonempty(cell, item.Loc); return "" })
	t.set(row, colAvailable, func(cell string) (text string) { item.Available, text = truth(cell, true); return text })
	t.set(row, colDiets, func(cell string) (text string) { item.Diets, _, text = kinds(Diets, cell); return text })
	t.readAllergens(row, &item.AllergensKnown, &item.Contains, &item.MayContain)
	t.set(row, colHours, func(cell string) (text string) { item.Hours, text = hours(cell); return text })
	t.set(row, colNote, func(cell string) string {
		var err error
		if item.NoteMax, err = strconv.Atoi(nonempty(cell, "0")); err != nil {
			return Words("item", "noteMax", Unfit)
		}
		return ""
	})
	t.set(row, colPicture, func(cell string) string { item.Picture = nonempty(cell, item.Picture); return "" })
	t.set(row, colGroups, func(cell string) (text string) { item.Groups, text = t.groups(cell); return text })
	t.at[key("item", item.Name)] = row.number
	c := t.category(row)
	c.Items = append(c.Items, item)
}

// readAllergens reads what an item or a choice contains and may contain.
func (t *table) readAllergens(row record, known *bool, contains, mayContain *[]string) {
	t.set(row, colContains, func(cell string) (text string) {
		*contains, *known, text = kinds(Allergens, cell)
		return text
	})
	t.set(row, colMayContain, func(cell string) (text string) {
		var said bool
		if *mayContain, said, text = kinds(Allergens, cell); said && !*known && len(*mayContain) > 0 {
			text = "Fill in allergens as well; write none if there are none."
		}
		return text
	})
}

// was returns the item of base that a row is about.
func (t *table) was(row record, name string) *Item {
	if cell, _ := t.cell(row, colID); cell != "" {
		if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
			if item, _ := t.base.Item(n); item != nil {
				return item
			}
		}
	}
	return t.base.itemNamed(name)
}

func (t *table) category(row record) *Category {
	name, _ := t.cell(row, colCategory)
	name = strings.Join(strings.Fields(name), " ")
	for n := range t.menu.Categories {
		if same(t.menu.Categories[n].Name, name) {
			return &t.menu.Categories[n]
		}
	}
	cell, _ := t.cell(row, colCategoryID)
	n, _ := strconv.ParseInt(cell, 10, 64)
	t.at[key("category", name)] = row.number
	t.menu.Categories = append(t.menu.Categories, Category{ID: n, Name: name})
	return &t.menu.Categories[len(t.menu.Categories)-1]
}

// set reads a cell if the file has its column; read returns what is wrong with it.
func (t *table) set(row record, column string, read func(string) string) {
	cell, has := t.cell(row, column)
	if !has {
		return
	}
	if text := read(cell); text != "" {
		t.fail(row, column, text)
	}
}

// groups reads names of groups, one on each line or with commas or semicolons between them.
func (t *table) groups(cell string) (ids []int64, wrong string) {
	for part := range strings.SplitSeq(cell, "\n") {
		names := []string{part}
		if t.menu.groupNamed(part) == nil {
			names = strings.FieldsFunc(part, func(r rune) bool { return r == ',' || r == ';' })
		}
		for _, name := range names {
			name = strings.Join(strings.Fields(name), " ")
			g := t.menu.groupNamed(name)
			switch {
			case name == "":
			case g == nil:
				return nil, "There is no option group called " + printable.Short(name) + ". Make it first, or add rows for its choices."
			default:
				ids = append(ids, g.ID)
			}
		}
	}
	return ids, ""
}

var chooseForm = regexp.MustCompile(`^(\d{1,2})(?:\s*(?:-|–|to)\s*(\d{1,2}))?$`)

// readChoice reads the row of a choice into its group. A new group gets a negative id until it is numbered.
func (t *table) readChoice(row record, group string) {
	group = strings.Join(strings.Fields(group), " ")
	g := t.menu.groupNamed(group)
	if g == nil {
		cell, _ := t.cell(row, colGroupID)
		n, _ := strconv.ParseInt(cell, 10, 64)
		if n <= 0 || t.menu.Group(n) != nil {
			n = -int64(len(t.menu.Groups)) - 1
		}
		t.menu.Groups = append(t.menu.Groups, Group{ID: n, Name: group, Min: 1, Max: 1})
		g = &t.menu.Groups[len(t.menu.Groups)-1]
	}
	choice := Choice{Available: true}
	name, _ := t.cell(row, colName)
	choice.Name = strings.Join(strings.Fields(name), " ")
	cell, _ := t.cell(row, colID)
	choice.ID, _ = strconv.ParseInt(cell, 10, 64)
	t.set(row, colPrice, func(cell string) (text string) { choice.Price, text = amount(nonempty(cell, "0"), true); return text })
	t.set(row, colAvailable, func(cell string) (text string) { choice.Available, text = truth(cell, true); return text })
	t.keepAllergens(&choice, group)
	t.readAllergens(row, &choice.AllergensKnown, &choice.Contains, &choice.MayContain)
	t.set(row, colPreset, func(cell string) (text string) { choice.Preset, text = truth(cell, false); return text })
	t.set(row, colChoose, func(cell string) string {
		if cell == "" {
			return ""
		}
		found := chooseForm.FindStringSubmatch(cell)
		if found == nil {
			return "Enter how many to choose, such as 1 or 0 to 3."
		}
		g.Min, _ = strconv.Atoi(found[1])
		g.Max, _ = strconv.Atoi(nonempty(found[2], found[1]))
		return ""
	})
	t.at[key("group", group)] = row.number
	g.Choices = append(g.Choices, choice)
}

// keepAllergens lets a choice say what the same choice of base says, for files without these columns.
func (t *table) keepAllergens(choice *Choice, group string) {
	was := t.base.groupNamed(group)
	if id := was.choice(choice.ID, choice.Name); id != 0 {
		for _, c := range was.Choices {
			if c.ID == id {
				choice.AllergensKnown, choice.Contains, choice.MayContain = c.AllergensKnown, c.Contains, c.MayContain
			}
		}
	}
}

// Amount reads a price as people type it: "4.50", "$1,250.00". A difference may have a sign.
func Amount(text string, difference bool) (minor int64, ok bool) {
	minor, wrong := amount(text, difference)
	return minor, wrong == ""
}

func amount(text string, difference bool) (int64, string) {
	number, sign := strings.TrimSpace(text), int64(1)
	if difference {
		rest, minus := strings.CutPrefix(strings.Replace(number, "\u2212", "-", 1), "-")
		if number = strings.TrimPrefix(rest, "+"); minus {
			number, sign = rest, -1
		}
	}
	minor, err := money.Typed(strings.TrimLeft(number, "$€£ "), "")
	if err != nil {
		return 0, Words("item", "priceMinor", Unfit)
	}
	return sign * minor, ""
}

func truth(cell string, empty bool) (is bool, wrong string) {
	switch strings.ToLower(cell) {
	case "":
		return empty, ""
	case "yes", "y", "true", "1", "x":
		return true, ""
	case "no", "n", "false", "0":
		return false, ""
	default:
		return false, "Enter yes or no."
	}
}

// kinds reads codes or names with commas or semicolons between them. said is false if the cell is empty.
func kinds(all []Kind, cell string) (codes []string, said bool, wrong string) {
	if strings.EqualFold(cell, none) {
		return nil, true, ""
	}
	for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		n := slices.IndexFunc(all, func(k Kind) bool { return same(k.Code, part) || same(k.Name, part) })
		switch {
		case part == "":
		case n < 0:
			return nil, true, printable.Short(part) + " is not one of " + strings.Join(Names(all, codesOf(all)), ", ") + "."
		default:
			codes = append(codes, all[n].Code)
		}
	}
	return codes, len(codes) > 0, ""
}

func codesOf(all []Kind) (codes []string) {
	for _, k := range all {
		codes = append(codes, k.Code)
	}
	return codes
}

func nonempty(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// hours reads the text of hours in its stored form. wrong says which line cannot be read and why.
func hours(cell string) (tidy, wrong string) {
	tidy, _ = clock.TidyHours(cell)
	return tidy, clock.HoursWords(cell)
}
