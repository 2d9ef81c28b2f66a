package desk

import (
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/menu"
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
	Revision int64 // of the draft that the form was made from
	Clash    *Clash
	Trouble  string
	Name     ui.Field
	Hours    ui.Field
	Category string // its name in the draft
}

// CategoryOf returns the form of a category of the draft with its words.
func CategoryOf(draft *menu.Menu, c menu.Category, problems menu.Problems) CategoryForm {
	name := ui.Field{ID: "name", Name: "name", Label: "Name", Value: c.Name, MaxLength: menu.MostName}
	form := CategoryForm{
		New: c.ID == 0, Name: problemField("category", problems, name, "name"),
		Hours: hoursField(c.Hours, "When guests can order from this category. Leave it empty for always.", problems["hours"] != ""),
	}
	if now := draft.Category(c.ID); now != nil {
		form.Items, form.Category = len(now.Items), now.Name
	}
	return form
}

// hoursField shows opening hours. If refused, the field says which line is wrong and why.
func hoursField(value, hint string, refused bool) ui.Field {
	f := ui.Field{ID: "hours", Name: "hours", Label: "Times (optional)", Hint: hint, Value: lines(value)}
	if refused {
		f.Problem = clock.HoursWords(value)
	}
	return f
}
