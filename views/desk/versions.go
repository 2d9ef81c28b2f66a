package desk

import (
	"forecourt/views/layout"
)

// Versions lists the versions of a menu.
type Versions struct {
	Frame    layout.Desk
	URL      string // of the menu's page
	Revision string // of the draft
	Unsaved  int    // changes of the draft that are not published
	Trouble  string // what went wrong; "" for nothing
	Latest   string // how many versions are always kept
	Days     string // the least number of days for which the others are kept
	Rows     []Version
}

// Version is a row of the list.
type Version struct {
	No   string
	Text string // "Published Mon 24 Nov 2026, 06:00 by ann@example.com"
	From string // its origin; "" if it came from the draft
	Now  bool   // guests see it
}
