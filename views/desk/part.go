package desk

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/menu"
	"forecourt/views/pos"
	"forecourt/views/ui"
)

// Part is the form of an item, a category or an option group, with what was typed. Revision is that of the draft that it was made from.
type Part struct {
	url.Values
	Menu

	Action   string
	ID       int64 // 0 for a new part
	Problems fault.Problems
	Clash    *menu.Clash // By is "ann@example.com", "You yourself, in another window," or "Somebody"
	Refused  string      // why a file for the picture was refused
	Picture  Picture     // the field for it
}

// typedOver says how what was typed differs from what is saved by now.
func (m Part) typedOver(kind string) []menu.Edit {
	for _, change := range menu.Compare(&m.Draft, &m.Clash.Mine, m.Shop.Currency) {
		if change.Kind == kind && change.ID == m.ID {
			return change.Fields
		}
	}
	return nil
}

func (m Part) field(name, label, hint string) ui.Field {
	return ui.Field{ID: name, Name: name, Label: label, Hint: hint, Value: m.Get(name), Problem: m.Problems[name]}
}

func (m Part) choice(name, label, hint string, options []ui.Option) ui.Choice {
	for i := range options {
		options[i].Chosen = slices.Contains(m.Values[name], options[i].Value)
	}
	f := m.field(name, label, hint)
	f.Value = ""
	return ui.Choice{Field: f, Options: options}
}

// summary returns the fields of the form for the list of their problems.
func (m Part) summary(names ...string) []ui.Field { return ui.Fields(m.Problems).Summary(names...) }

// saveWord labels the button that saves the form.
func (m Part) saveWord(add string) string {
	switch {
	case m.Clash != nil && m.Clash.Gone:
		return "Put it back"
	case m.Clash != nil:
		return "Save mine"
	case m.ID == 0:
		return add
	}
	return "Save"
}

// hoursField shows opening hours, each part of them on a line of its own.
func hoursField(name, value, hint, problem string) ui.Field {
	return ui.Field{
		ID: name, Name: name, Label: "Times (optional)", Hint: hint, Value: strings.ReplaceAll(value, "; ", "\n"), Problem: problem,
	}
}

// value returns a value as the comparison shows it.
func value(label, text string) string {
	if label == "Picture" && text != "" {
		return "a picture"
	}
	return short(text)
}

// The answers to what something contains.
const (
	Unstated = "unknown"
	Free     = "none"
	Some     = "some"
)

var allergenWays = []ui.Option{
	{Value: Unstated, Label: "Not stated", Hint: "We ask guests to check with you, and never show the item as free of an allergen."},
	{Value: Free, Label: "Free of all of them", Hint: "Choose this only if you have checked every ingredient."},
	{
		Value: Some, Label: "Contains or may contain some",
		Hint: "Say which below. The item counts as free of the others.",
	},
}

// FoodField is what the name of the field of an allergen begins with. Its value is "contains", "mayContain" or "".
const FoodField = "food."

var foodWays = []struct{ field, label string }{{"", "No"}, {"contains", "Contains"}, {"mayContain", "May contain"}}

// food is the answer about an allergen in the form.
func (m Part) food(at, allergen string) string {
	for _, field := range []string{"contains", "mayContain"} {
		if slices.Contains(m.Values[at+field], allergen) {
			return field
		}
	}
	return ""
}

// foods lists the allergens, those that are in the thing first.
func (m Part) foods(at string) []menu.Kind {
	return slices.SortedStableFunc(slices.Values(menu.Allergens), func(a, b menu.Kind) int {
		return cmp.Compare(min(len(m.food(at, b.Code)), 1), min(len(m.food(at, a.Code)), 1))
	})
}

// boxes makes an option of each thing of a list.
func boxes[T any](list []T, box func(T) ui.Option) []ui.Option {
	all := make([]ui.Option, len(list))
	for i, one := range list {
		all[i] = box(one)
	}
	return all
}

func kindBox(k menu.Kind) ui.Option         { return ui.Option{Value: k.Code, Label: k.Name} }
func placeBox(loc string) ui.Option         { return ui.Option{Value: loc, Label: loc} }
func categoryBox(c menu.Category) ui.Option { return ui.Option{Value: number(c.ID), Label: c.Name} }
func groupBox(g menu.Group) ui.Option {
	return ui.Option{Value: number(g.ID), Label: g.Name, Hint: "choose " + g.Rule()}
}

// Row is what the names of the fields of a group's row begin with.
func Row(n int) string { return "choices." + strconv.Itoa(n) + "." }

// rows counts the choices in the form of a group.
func (m Part) rows() (n int) {
	for n < menu.MostChoices && m.Has(Row(n)+"name") {
		n++
	}
	return n
}

// groupFields lists the fields of a group in the order of the form.
func (m Part) groupFields() []ui.Field {
	all := m.summary("name", "max", "choices")
	all[2].ID = "choices-title"
	for n := range m.rows() {
		at := Row(n)
		all = append(all, m.summary(at+"name", at+"priceMinor", at+"allergens", at+"contains", at+"mayContain")...)
	}
	return all
}

// adds returns the question what a choice adds, and the answer in words.
func (m Part) adds(at string) (ask ui.Choice, said string) {
	ask = m.choice(at+"allergens", "What does it add?", "", []ui.Option{
		{Value: Unstated, Label: "Not stated"}, {Value: Free, Label: "No allergens"}, {Value: Some, Label: "Contains or may contain some"},
	})
	ask.Options[0].Chosen = m.Get(at+"allergens") == "" || ask.Options[0].Chosen
	return ask, m.stated(at, "none added")
}

// stated says what is stated about allergens; none says that there are none.
func (m Part) stated(at, none string) string {
	switch m.Get(at + "allergens") {
	case Free:
		return none
	case Some:
		return menu.Food{Contains: m.Values[at+"contains"], MayContain: m.Values[at+"mayContain"]}.Contained()
	}
	return "not stated"
}

// hours is the field for the hours of a part.
func (m Part) hours(hint string) ui.Field {
	return hoursField("hours", m.Get("hours"), hint, m.Problems["hours"])
}

// happy is the happy hour of the category that the form of an item names; "" if it has none.
func (m Part) happy() string {
	for _, c := range m.Draft.Categories {
		if number(c.ID) == m.Get("category") {
			return c.OtherHours
		}
	}
	return ""
}

// open says whether a part of the form is unfolded: it has something wrong, or the thing is new.
func (m Part) open(names ...string) bool {
	return m.ID == 0 || slices.ContainsFunc(names, func(name string) bool { return m.Problems[name] != "" })
}

// asked names the options that guests choose.
func (m Part) asked() string {
	var names []string
	for _, g := range m.Draft.Groups {
		if slices.Contains(m.Values["groups"], number(g.ID)) {
			names = append(names, g.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "None")
}

// allergens says what is stated about allergens.
func (m Part) allergens() string {
	words := m.stated("", "free of all of them")
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}

// told is what the menu says about allergens.
func (m Part) told() string {
	facts := menu.AllergenFacts{Known: m.Get("allergens") == Free}
	if m.Get("allergens") == Some {
		facts = menu.AllergenFacts{Known: true, Contains: m.Values["contains"], MayContain: m.Values["mayContain"]}
	}
	return pos.Allergens(facts)
}

// shown is the price as guests see it; "" for what is no price yet.
func (m Part) shown() string {
	minor, wrong := menu.Price(m.Get("priceMinor"), m.Shop.Currency)
	if m.Get("priceMinor") == "" || wrong != "" {
		return ""
	}
	return price(minor, m.Shop.Currency)
}

// when says when a field has it; otherwise is for an empty one.
func (m Part) when(field, otherwise string) string {
	return cmp.Or(strings.Join(strings.Fields(ui.Field{Value: m.Get(field)}.Shown()), " "), otherwise)
}
