package menu

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// readItem reads the row of an item into the menu. Items of a category need not be together.
func (r row) readItem() {
	name := r.text(colName)
	item := Item{Available: true, Loc: "Kitchen"}
	was, _ := r.base.Item(r.id(colID))
	if was == nil {
		was = r.base.itemNamed(name)
	}
	if was != nil {
		item = *was
	} else if len(r.base.Categories) > 0 && len(r.base.Categories[0].Items) > 0 {
		item.Loc = r.base.Categories[0].Items[0].Loc
	}
	item.Name = typed.Line(name)
	if was == nil && r.text(colLoc) == "" {
		r.assume("The file does not say where new items are made (column " + colLoc + "). We put them at " + item.Loc + ".")
	}
	set(r, colDescription, &item.Description, or(""))
	set(r, colPrice, &item.Price, func(cell string) (int64, string) { return Price(cell, r.currency) })
	set(r, colLoc, &item.Loc, or(item.Loc))
	set(r, colAvailable, &item.Available, truth(true))
	set(r, colDiets, &item.Diets, func(cell string) (codes []string, wrong string) {
		codes, _, wrong = kinds(Diets, cell)
		return codes, wrong
	})
	r.readFood(&item.Food)
	set(r, colHours, &item.Hours, r.hours)
	set(r, colOtherPrice, &item.OtherPrice, func(cell string) (*int64, string) {
		if cell == "" {
			return nil, ""
		}
		price, wrong := Price(cell, r.currency)
		return &price, wrong
	})
	set(r, colNote, &item.NoteMax, func(cell string) (int, string) {
		n, err := typed.Count(cmp.Or(cell, "0"))
		if err != nil {
			return 0, WrongNote
		}
		return n, ""
	})
	set(r, colGSTFree, &item.GSTFree, truth(false))
	set(r, colPicture, &item.Picture, or(item.Picture))
	set(r, colGroups, &item.Groups, r.menu.groupsIn)
	r.at[key("item", item.Name)] = r.number
	c := r.category()
	c.Items = append(c.Items, item)
}

// hours reads hours, which may name the shop's public holidays.
func (t *table) hours(cell string) (tidy, wrong string) { return clock.TidyHours(cell, t.holidays) }

// readFood reads what an item or a choice contains and may contain.
func (r row) readFood(f *Food) {
	set(r, colContains, &f.Contains, func(cell string) (codes []string, wrong string) {
		codes, f.AllergensKnown, wrong = kinds(Allergens, cell)
		return codes, wrong
	})
	set(r, colMayContain, &f.MayContain, func(cell string) ([]string, string) {
		codes, _, wrong := kinds(Allergens, cell)
		if !f.AllergensKnown && len(codes) > 0 {
			wrong = "Fill in allergens as well; write none if there are none."
		}
		return codes, wrong
	})
}

// category returns the category of a row, a new one if the rows before have none of its name.
func (r row) category() *Category {
	name := typed.Line(r.text(colCategory))
	for n := range r.menu.Categories {
		if same(r.menu.Categories[n].Name, name) {
			return &r.menu.Categories[n]
		}
	}
	r.at[key("category", name)] = r.number
	c := Category{ID: r.id(colCategoryID), Name: name}
	for _, was := range r.base.Categories {
		if was.ID == c.ID || same(was.Name, name) {
			if _, has := r.cell(colHours); !has {
				c.Hours = was.Hours
			}
			if _, has := r.cell(colOtherHours); !has {
				c.OtherHours = was.OtherHours
			}
		}
	}
	r.menu.Categories = append(r.menu.Categories, c)
	return &r.menu.Categories[len(r.menu.Categories)-1]
}

// groupsIn reads names of groups, one on each line or with commas or semicolons between them.
func (m *Menu) groupsIn(cell string) (ids []int64, wrong string) {
	for part := range strings.SplitSeq(cell, "\n") {
		names := []string{part}
		if m.groupNamed(part) == nil {
			names = strings.FieldsFunc(part, func(r rune) bool { return r == ',' || r == ';' })
		}
		for _, name := range names {
			name = typed.Line(name)
			g := m.groupNamed(name)
			switch {
			case name == "":
			case g == nil:
				return nil, "There are no options called " + printable.Short(name) + ". Make them first, or add rows for their choices."
			default:
				ids = append(ids, g.ID)
			}
		}
	}
	return ids, ""
}

var chooseForm = regexp.MustCompile(`^(\d{1,2})(?:\s*(?:-|to)\s*(\d{1,2}))?$`)

// readChoice reads the row of a choice into its group. A new group gets a negative id until it is numbered. A choice of a file without
// allergens says what the same choice of base says.
func (r row) readChoice(group string) {
	g := r.menu.groupNamed(group)
	if g == nil {
		n := r.id(colGroupID)
		if n <= 0 || r.menu.Group(n) != nil {
			n = -int64(len(r.menu.Groups)) - 1
		}
		r.menu.Groups = append(r.menu.Groups, Group{ID: n, Name: group, Min: 1, Max: 1})
		if r.base.groupNamed(group) == nil && r.text(colChoose) == "" {
			r.assume("The file does not say how many to choose of " + group + " (column " + colChoose + "). We took 1.")
		}
		g = &r.menu.Groups[len(r.menu.Groups)-1]
	}
	choice := Choice{ID: r.id(colID), Name: typed.Line(r.text(colName)), Available: true}
	set(r, colPrice, &choice.Price, func(cell string) (int64, string) { return Difference(cell, r.currency) })
	set(r, colAvailable, &choice.Available, truth(true))
	if was := r.base.groupNamed(group).choice(choice.ID, choice.Name); was != nil {
		choice.Food = was.Food
	}
	r.readFood(&choice.Food)
	set(r, colPreset, &choice.Preset, truth(false))
	if cell := r.text(colChoose); cell != "" {
		found := chooseForm.FindStringSubmatch(typed.Plain(cell))
		if found == nil {
			r.fail(colChoose, "Enter how many to choose, such as 1 or 0 to 3.")
		} else {
			g.Min, _ = strconv.Atoi(found[1])
			g.Max, _ = strconv.Atoi(cmp.Or(found[2], found[1]))
		}
	}
	r.at[key("group", group)] = r.number
	g.Choices = append(g.Choices, choice)
}

// Price reads a price in a currency as people type it: "4.50", "$1,250.00". wrong says what is wrong with it.
func Price(text, currency string) (minor int64, wrong string) {
	minor, err := typed.Amount(text, currency)
	switch {
	case err == nil:
		return minor, ""
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) && !strings.ContainsRune(money.Sign(currency), r) }):
		return 0, "The prices of this menu are in " + cmp.Or(currency, money.DefaultCurrency) + ". Enter one like 4.50."
	}
	return 0, WrongPrice
}

// Difference reads what a choice adds to a price in a currency, which may have a sign; "" adds nothing.
func Difference(text, currency string) (minor int64, wrong string) {
	rest, minus := strings.CutPrefix(typed.Plain(text), "-")
	switch {
	case text == "":
		return 0, ""
	case minus:
		minor, wrong = Price(rest, currency)
		return -minor, wrong
	}
	return Price(strings.TrimPrefix(rest, "+"), currency)
}

// or reads a text, or takes another one if there is none.
func or(otherwise string) func(string) (string, string) {
	return func(cell string) (string, string) { return cmp.Or(cell, otherwise), "" }
}

// truth reads yes or no. empty is what an empty cell says.
func truth(empty bool) func(string) (bool, string) {
	return func(cell string) (is bool, wrong string) {
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
			var names []string
			for _, k := range all {
				names = append(names, k.Name)
			}
			return nil, true, printable.Short(part) + " is not one of " + strings.Join(names, ", ") + "."
		default:
			codes = append(codes, all[n].Code)
		}
	}
	return codes, len(codes) > 0, ""
}
