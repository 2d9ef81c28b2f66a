package desk

import (
	"forecourt/internal/shop/menu"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Import is the page that takes a menu from a file.
type Import struct {
	Frame    layout.Desk
	URL      string // of the menu's page
	Wrong    []menu.Wrong
	Trouble  string
	Text     string // of a file with mistakes, to be corrected; "" for none
	File     ui.Field
	Add      bool // what the file lacks stays
	Way      ui.Choice
	Compared bool // a file was read: Changes are what it would change in the draft
	Changes  []menu.Change
	Whole    string // the text of the file that was compared
	Revision int64  // of the draft that it was compared with
}

// ImportOf returns the page with its words. add keeps what the file lacks.
func ImportOf(add bool, problem string) Import {
	const hint = "CSV with one row for each item: category, name and price, and as many of the other columns as you have."
	return Import{
		Add: add, File: ui.Field{ID: "file", Name: "file", Label: "File", Hint: hint, Type: "file", Problem: problem},
		Way: ui.Choice{Field: ui.Field{ID: "way", Name: "way", Label: "Items that the file does not have"}, Options: []ui.Option{
			{Value: "add", Label: "Keep them", Hint: "The file only adds and changes.", Chosen: add},
			{Value: "replace", Label: "Remove them", Hint: "The file is the whole menu.", Chosen: !add},
		}},
	}
}

func (m Import) text() ui.Field {
	return ui.Field{
		ID: "text", Name: "text", Label: "Your file", Value: m.Text,
		Hint: "Correct it here, or choose a corrected file below. If you choose a file, this text is ignored.",
	}
}
