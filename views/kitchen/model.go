// Package kitchen draws the screen of those who make what was ordered.
package kitchen

import (
	"strconv"
	"strings"
)

// Changes is the fragment that a stream sends: tickets and places that are new or have changed, and which there are.
const Changes = "kitchen-changes"

// Screen is the kitchen screen of a business.
type Screen struct {
	Business  string
	Test      bool
	URL       string // of this page with its filter; taps post to it
	EventsURL string
	AllURL    string // of all places
	Loc       string // the one place shown; empty for all
	Places    []Place
	Stale     int  // orders of more than a day ago
	More      bool // there may be more of them
	Menu      []Item
	Required  bool // live orders need a screen that looks
	Live      bool
	Ends      string // when the session ends, RFC 3339
	EndsSoon  bool   // the screen warns
	// SignInURL signs in anew and leads back here.
	SignInURL          string
	Stylesheet, Script string
}

// Place is a column: one location.
type Place struct {
	ID, Name string // ID is of the element
	URL      string // of this place alone
	Tickets  []Ticket
	Gap      *Gap // nil: Tickets has every order
	Done     []Done
}

// Gap stands for the orders between a place's oldest and its newest, which it does not show.
type Gap struct {
	ID     string // of the element
	PaidAt string // of the last order before it
	Orders int
}

// Ticket is what a place has to make of one order.
type Ticket struct {
	ID, TrxID, Loc string // ID is of the element
	Whose          string // "Table 4", "Ann", "Takeaway"
	PaidAt         string // RFC 3339, for the script that counts on
	Age            string // "4 min"
	Late           string // "", "soon" or "late"
	Test           bool   // where the business is live
	Lines          []Line
}

// Line is so many of one thing.
type Line struct {
	Name string
	Qty  int
}

// Done is what a place finished lately.
type Done struct {
	ID, TrxID, Loc, Whose string
	At, Ago               string // RFC 3339, and "2 minutes ago"
	Pieces                string // "3 items"
}

// Item is a thing on the menu with its switch.
type Item struct {
	ID      int64
	Name    string
	SoldOut bool
}

// present lists the ids of everything that is on the board, for a script to drop the rest.
func (s Screen) present() string {
	var ids []string
	for _, p := range s.Places {
		ids = append(ids, p.ID)
		for _, t := range p.Tickets {
			ids = append(ids, t.ID)
		}
		if p.Gap != nil {
			ids = append(ids, p.Gap.ID)
		}
		for _, d := range p.Done {
			ids = append(ids, d.ID)
		}
	}
	return strings.Join(ids, " ")
}

// count is how many orders a place has to make, shown or not.
func (p Place) count() string {
	if p.Gap != nil {
		return strconv.Itoa(len(p.Tickets) + p.Gap.Orders)
	}
	return strconv.Itoa(len(p.Tickets))
}
