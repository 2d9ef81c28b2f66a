package pos

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"forecourt/internal/shop/kitchen"
)

// Changes is the fragment that a stream sends: new and changed tickets and locations, and the list of all.
const Changes = "kitchen-changes"

// Screen is the kitchen screen of a business.
type Screen struct {
	Business  string
	Test      bool
	URL       string // of this page with its filter; taps post to it
	EventsURL string
	AllURL    string     // of all locations
	DeskURL   string     // empty for a screen that is not a person
	Loc       string     // the one location shown; empty for all
	Places    []Location // all of them
	Locations []Location // those shown
	Stale     int        // orders older than a day
	More      bool       // there may be more of them
	Stock     kitchen.Stock
	Trouble   string // why the last switch did nothing
	Now       time.Time
	Required  bool // live orders need an open kitchen screen
	Live      bool
	Ends      string // when the session ends, RFC 3339; empty for a kitchen screen, which works until somebody ends it
	EndsSoon  bool   // the screen warns
	// SignInURL signs in again and leads back here.
	SignInURL          string
	Stylesheet, Script string
}

// Location is a column of the screen.
type Location struct {
	ID, Name string // ID is of the element
	URL      string // of this location alone
	Tickets  []kitchen.Ticket
	Gap      *Gap // nil: Tickets has every order
	Done     []kitchen.Done
}

// Gap stands for the orders between a location's oldest and its newest, which it does not show.
type Gap struct {
	ID     string    // of the element
	PaidAt time.Time // of the last order before it
	Orders int
}

// Only leaves out all tickets but those of an order.
func (s *Screen) Only(id string) {
	var kept []Location
	for _, l := range s.Locations {
		l.Tickets = slices.DeleteFunc(slices.Clone(l.Tickets), func(t kitchen.Ticket) bool { return t.TrxID != id })
		if len(l.Tickets) > 0 {
			kept = append(kept, l)
		}
	}
	s.Locations = kept
}

// slipURL returns the page with what is printed of a ticket.
func slipURL(s Screen, t kitchen.Ticket) templ.SafeURL {
	at, _, _ := strings.Cut(s.URL, "?")
	return templ.SafeURL(at + "?" + url.Values{"ticket": {t.TrxID}, "loc": {t.Loc}}.Encode())
}

// TicketID is the id of the element of a ticket.
func TicketID(t kitchen.Ticket) string { return "t-" + t.TrxID + "-" + LocKey(t.Loc) }

// DoneID is the id of the element of what a location finished.
func DoneID(d kitchen.Done) string { return "d-" + d.ID + "-" + LocKey(d.Loc) }

// LocKey turns a location into a part of an element's id.
func LocKey(loc string) string {
	var b strings.Builder
	for _, r := range loc {
		b.WriteString(strconv.FormatInt(int64(r), 36))
		b.WriteByte('_')
	}
	return b.String()
}

// paidText is when an order was paid, for the script that counts on.
func paidText(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// count is how many orders a location has to make, shown or not.
func (l Location) count() string {
	if l.Gap != nil {
		return strconv.Itoa(len(l.Tickets) + l.Gap.Orders)
	}
	return strconv.Itoa(len(l.Tickets))
}
