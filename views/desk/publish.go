package desk

import (
	"forecourt/internal/menu"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Publish is the page that publishes the draft.
type Publish struct {
	Frame      layout.Desk
	URL        string // of the menu's page
	Revision   string
	Zone       string // such as "Australia/Sydney"
	Changes    []menu.Change
	Faults     []menu.Wrong // why the draft cannot be published
	Trouble    string
	Waiting    string
	Way        ui.Choice
	Date, Time ui.Field
}

// PublishOf returns the page with its words. later says that a time was chosen; problem is what is wrong with it.
func PublishOf(later bool, date, clock, problem string) Publish {
	return Publish{
		Way: ui.Choice{Field: ui.Field{ID: "way", Name: "way", Label: "When"}, Options: []ui.Option{
			{Value: "now", Label: "Now", Chosen: !later},
			{Value: "later", Label: "At a time", Hint: "The draft as it is now. Later changes are not part of it.", Chosen: later},
		}},
		Date: ui.Field{ID: "date", Name: "date", Label: "Date", Type: "date", Value: date, Problem: problem},
		Time: ui.Field{ID: "time", Name: "time", Label: "Time", Type: "time", Value: clock},
	}
}
