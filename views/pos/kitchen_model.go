package pos

import (
	"strconv"
	"strings"
)

// Changes is the fragment that a stream sends: new and changed tickets and locations, and the list of all.
const Changes = "kitchen-changes"

// Screen is the kitchen screen of a business.
type Screen struct {
	Business  string
	Test      bool
	URL       string // of this page with its filter; taps post to it
	EventsURL string
	AllURL    string // of all locations
	DeskURL   string // empty for a screen that is not a person
	Loc       string // the one location shown; empty for all
	Locations []Location
	Stale     int  // orders older than a day
	More      bool // there may be more of them
	Stock     Stock
	Required  bool // live orders need an open kitchen screen
	Live      bool
	Ends      string // when the session ends, RFC 3339; empty for a kitchen screen, which works until somebody ends it
	EndsSoon  bool   // the screen warns
	// SignInURL signs in again and leads back here.
	SignInURL          string
	Stylesheet, Script string
}

// Open asks whether a browser is to be a kitchen screen.
type Open struct{ Name, Business string }

// Location is a column of the screen.
type Location struct {
	ID, Name string // ID is of the element
	URL      string // of this location alone
	Tickets  []Ticket
	Gap      *Gap // nil: Tickets has every order
	Done     []Done
}

// Gap stands for the orders between a location's oldest and its newest, which it does not show.
type Gap struct {
	ID     string // of the element
	PaidAt string // of the last order before it
	Orders int
}

// Ticket is the part of one order that a location makes.
type Ticket struct {
	ID, TrxID, Loc string // ID is of the element
	Whose          string // "Table 4", "Ann", "Takeaway"
	PaidAt         string // RFC 3339, for the script that counts on
	Age            string // "4 min"
	Late           string // "", "soon" or "late"
	Test           bool   // where the business is live
	Lines          []TicketLine
}

// Line is a quantity of one item, with the names of its options and a note.
type TicketLine struct {
	Name    string
	Qty     int
	Options []string
	Note    string
}

// Done is an order that a location finished recently.
type Done struct {
	ID, TrxID, Loc, Whose string
	At, Ago               string // RFC 3339, and "2 minutes ago"
	Pieces                string // "3 items"
}

// present lists the ids of everything on the board, so that a script can drop the rest.
func (s Screen) present() string {
	var ids []string
	for _, p := range s.Locations {
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

// count is how many orders a location has to make, shown or not.
func (l Location) count() string {
	if l.Gap != nil {
		return strconv.Itoa(len(l.Tickets) + l.Gap.Orders)
	}
	return strconv.Itoa(len(l.Tickets))
}
