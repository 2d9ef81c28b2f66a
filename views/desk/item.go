package desk

import (
	"path"
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// ItemForm is the form of an item.
type ItemForm struct {
	Frame    layout.Desk
	URL      string // of the menu's page
	Action   string
	New      bool
	Title    string // its name in the draft
	Revision int64  // of the draft that the form was made from
	Clash    *Clash
	Trouble  string
	Notice   string
	Address  string       // of the picture; "" for none
	Refused  shop.Problem // why a file for the picture was refused
	Picture  Picture      // the field for it
	Groups   ui.Choice
	fields   map[string]ui.Field
	choices  map[string]ui.Choice
	visible  bool
	noted    bool
	problems menu.Problems
}

// soldOut is where the item is marked as sold out.
func (f ItemForm) soldOut() string { return f.URL + "/soldout#i" + path.Base(f.Action) }

// TypedItem is an item as it was typed. Price and Note keep the text, even if it is not a number.
type TypedItem struct {
	menu.Entry
	Price, Note string
	Allergens   string // "unknown", "none" or "some"
	Noted       bool
	HoursText   string
}

// Typed returns an item as its form shows it.
func Typed(e menu.Entry) TypedItem {
	t := TypedItem{
		Entry: e, Price: money.Wire(e.Price), Allergens: answer(e.AllergensKnown, e.Contains, e.MayContain),
		Noted: e.NoteMax > 0, Note: "80", HoursText: lines(e.Hours),
	}
	if e.ID == 0 && e.Price == 0 {
		t.Price = ""
	}
	if e.NoteMax > 0 {
		t.Note = strconv.Itoa(e.NoteMax)
	}
	return t
}

// ItemFormOf returns the form of an item of a draft with its words.
func ItemFormOf(m *menu.Menu, t TypedItem, problems menu.Problems, locations []string) ItemForm {
	field := func(key, label, hint, value string) ui.Field {
		return problemField("item", problems, ui.Field{ID: key, Name: key, Label: label, Hint: hint, Value: value}, key)
	}
	form := ItemForm{New: t.ID == 0, Address: t.Picture, visible: t.Available, noted: t.Noted, problems: problems}
	if now, _ := m.Item(t.ID); now != nil {
		form.Title = now.Name
	}
	form.fields = map[string]ui.Field{
		"name":        field("name", "Name", "", t.Name),
		"description": field("description", "Description (optional)", "A line or two about what it is.", t.Description),
		"priceMinor":  field("priceMinor", "Price", "Such as 4.50. Enter 0 for a free item.", t.Price),
		"noteMax":     field("noteMax", "Longest note, in characters", "", t.Note),
		"hours":       hoursField(t.HoursText, "When guests can order this. Leave it empty for always.", problems["hours"] != ""),
	}
	f := form.fields["priceMinor"]
	f.InputMode = "decimal"
	form.fields["priceMinor"] = f
	f = form.fields["noteMax"]
	f.InputMode = "numeric"
	form.fields["noteMax"] = f
	form.choices = map[string]ui.Choice{
		"category":   {Field: field("category", "Category", "", "")},
		"loc":        {Field: field("loc", "Made at", "The kitchen screen has a column for each place.", "")},
		"allergens":  {Field: field("allergens", "Allergens", "", ""), Options: allergenWays(t.Allergens)},
		"contains":   {Field: field("contains", "Contains", "", ""), Options: boxesOf(menu.Allergens, t.Contains)},
		"mayContain": {Field: field("mayContain", "May contain traces of", "", ""), Options: boxesOf(menu.Allergens, t.MayContain)},
		"diets": {
			Field: field(
				"diets", "Suits these diets", "The item itself. Guests who filter by a diet are told that an option may not suit it.", "",
			),
			Options: boxesOf(menu.Diets, t.Diets),
		},
		"groups": {Field: field("groups", "Guests choose", "", ""), Options: groupBoxes(m, t.Groups)},
	}
	c := form.choices["category"]
	for _, one := range m.Categories {
		c.Options = append(c.Options, ui.Option{Value: number(one.ID), Label: one.Name, Chosen: one.ID == t.Category})
	}
	form.choices["category"] = c
	c = form.choices["loc"]
	for _, name := range locations {
		c.Options = append(c.Options, ui.Option{Value: name, Label: name, Chosen: name == t.Loc})
	}
	form.choices["loc"] = c
	return form
}

// summary returns the fields in the order of the form.
func (f ItemForm) summary() (all []ui.Field) {
	for _, name := range []string{
		"name", "description", "priceMinor", "category", "allergens", "contains", "mayContain", "diets", "groups", "loc", "noteMax", "hours",
	} {
		one, ok := f.fields[name]
		if !ok {
			one = f.choices[name].Field
		}
		all = append(all, one)
	}
	return append(all, f.Picture.field())
}

func groupBoxes(m *menu.Menu, chosen []int64) (list []ui.Option) {
	has := map[int64]bool{}
	for _, id := range chosen {
		has[id] = true
	}
	for _, g := range m.Groups {
		list = append(list, ui.Option{Value: number(g.ID), Label: g.Name, Hint: "choose " + g.Rule(), Chosen: has[g.ID]})
	}
	return list
}
