package desk

import (
	"encoding/json"
	"slices"

	"forecourt/internal/menu"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// CategoryForm is the form of a category.
type CategoryForm struct {
	Frame    layout.Desk
	URL      string // of the menu's page
	Action   string
	New      bool
	Items    int
	Was      string // as the editor first saw it, as JSON
	Clash    *Clash
	Trouble  string
	Name     ui.Field
	Hours    ui.Field
	Category string
}

// CategoryOf returns the form of a category with its words.
func CategoryOf(was, c menu.Category, problems menu.Problems) CategoryForm {
	items := len(c.Items)
	was.Items = nil
	return CategoryForm{
		New: c.ID == 0, Items: items, Was: jsonOf(was), Category: was.Name,
		Name: problemField(
			"category", problems, ui.Field{ID: "name", Name: "name", Label: "Name", Value: c.Name, MaxLength: menu.MostName}, "name",
		),
		Hours: hoursField(c.Hours, "When guests can order from this category. Leave it empty for always.", problems["hours"] != ""),
	}
}

// hoursField shows opening hours. If refused, the field says which line is wrong and why.
func hoursField(value, hint string, refused bool) ui.Field {
	f := ui.Field{ID: "hours", Name: "hours", Label: "Times (optional)", Hint: hint, Value: lines(value)}
	if refused {
		f.Problem = menu.HoursWords(value)
	}
	return f
}

// Clash shows what somebody else changed while a form was open.
type Clash struct {
	By   string
	Rows []menu.Edit // Was is theirs, Now is what was typed
}

// ClashOf lists the fields that both changed.
func ClashOf(by string, both []string, theirs, mine []menu.Fact) *Clash {
	c := &Clash{By: by}
	for n, f := range theirs {
		field := f.Field
		if field == "mayContain" { // shown together with contains
			field = "contains"
		}
		if slices.Contains(both, field) && f.Text != mine[n].Text {
			c.Rows = append(c.Rows, menu.Edit{Field: f.Field, Label: f.Label, Was: f.Text, Now: mine[n].Text})
		}
	}
	return c
}

// jsonOf returns a value as a form carries it.
func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
