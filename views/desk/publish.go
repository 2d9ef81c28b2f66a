package desk

import (
	"forecourt/internal/shop/menu"
	"forecourt/views/layout"
)

// Publish is the page that publishes the draft.
type Publish struct {
	Frame    layout.Desk
	URL      string // of the menu's page
	Revision string
	Changes  []menu.Change
	Faults   []menu.Wrong // why the draft cannot be published
	Trouble  string
	Notice   string // what was just done; "" for nothing
}
