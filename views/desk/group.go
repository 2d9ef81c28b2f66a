package desk

import (
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/shop/menu"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// GroupForm is the form of an option group.
type GroupForm struct {
	Frame          layout.Desk
	URL            string // of the menu's page
	Action         string
	New            bool
	Title          string // its name in the draft
	Revision       int64  // of the draft that the form was made from
	Clash          *Clash
	Trouble        string
	Users          []menu.Item
	One            bool // guests choose one
	Name, Min, Max ui.Field
	Way            ui.Choice
	Rows           []ChoiceRow
	Problem        ui.Field // of the choices as a whole
}

// ChoiceRow is a row of the form: a choice, or room for one.
type ChoiceRow struct {
	N                 int
	ID                string
	Name, Price       ui.Field
	Preset, Available bool
	First, Last       bool
	Food              string // what it adds, in words
	Allergens         ui.Choice
	Contains          ui.Choice
	MayContain        ui.Choice
}

// foodProblem reports whether the stated allergens of a choice have a problem.
func (r ChoiceRow) foodProblem() bool {
	return r.Allergens.Problem+r.Contains.Problem+r.MayContain.Problem != ""
}

// TypedChoice is a choice as it was typed.
type TypedChoice struct {
	menu.Choice
	Price     string
	Allergens string // "unknown", "none" or "some"
}

// TypedChoiceOf returns a choice as its form shows it.
func TypedChoiceOf(c menu.Choice) TypedChoice {
	t := TypedChoice{Choice: c, Allergens: answer(c.AllergensKnown, c.Contains, c.MayContain)}
	if c.Price != 0 {
		t.Price = money.Wire(c.Price)
	}
	return t
}

// TypedGroup is a group as it was typed.
type TypedGroup struct {
	menu.Group
	One      bool // the way to choose one
	Min, Max string
	Rows     []TypedChoice
}

// TypedGroupOf returns a group as its form shows it.
func TypedGroupOf(g menu.Group) TypedGroup {
	t := TypedGroup{Group: g, One: g.Min == 1 && g.Max == 1, Min: strconv.Itoa(g.Min), Max: strconv.Itoa(g.Max)}
	for _, c := range g.Choices {
		t.Rows = append(t.Rows, TypedChoiceOf(c))
	}
	return t
}

// GroupOf returns the form of a group of a draft with its words.
func GroupOf(draft *menu.Menu, t TypedGroup, problems menu.Problems) GroupForm {
	field := func(key, label, hint, value string) ui.Field {
		return problemField("group", problems, ui.Field{ID: key, Name: key, Label: label, Hint: hint, Value: value}, key)
	}
	form := GroupForm{
		New: t.ID == 0, Users: draft.Users(t.ID), One: t.One,
		Name: field("name", "Name", "Guests read it as a heading, such as Size or Milk.", t.Name),
		Min:  field("min", "At least", "Enter 0 if they need not choose anything.", t.Min), Max: field("max", "At most", "", t.Max),
		Problem: field("choices", "Choices", "", ""),
	}
	if now := draft.Group(t.ID); now != nil {
		form.Title = now.Name
	}
	form.Problem.ID = "choices-title"
	form.Min.InputMode, form.Max.InputMode = "numeric", "numeric"
	form.Way = ui.Choice{Field: ui.Field{ID: "way", Name: "way", Label: "How many guests choose"}, Options: []ui.Option{
		{Value: "one", Label: "Exactly one", Hint: "Such as a size.", Chosen: t.One},
		{Value: "several", Label: "Several, or none", Hint: "Such as extras. Say how many below.", Chosen: !t.One},
	}}
	for n, row := range t.Rows {
		at := "choices." + strconv.Itoa(n)
		one := ChoiceRow{N: n, Preset: row.Preset, Available: row.Available, First: n == 0, Last: n == len(t.Rows)-1}
		if row.ID != 0 {
			one.ID = number(row.ID)
		}
		one.Name = problemField("group", problems, ui.Field{ID: at + ".name", Name: at + ".name", Label: "Choice", Value: row.Name}, at+".name")
		one.Price = problemField(
			"group", problems, ui.Field{ID: at + ".priceMinor", Name: at + ".priceMinor", Label: "Adds", Value: row.Price, InputMode: "text"},
			at+".priceMinor",
		)
		choiceFood(&one, row, problems)
		form.Rows = append(form.Rows, one)
	}
	return form
}

// summary returns the fields in the order of the form.
func (f GroupForm) summary() []ui.Field {
	all := []ui.Field{f.Name, f.Max, f.Problem}
	for _, r := range f.Rows {
		all = append(all, r.Name, r.Price, r.Allergens.Field, r.Contains.Field, r.MayContain.Field)
	}
	return all
}
