// Package desk draws a business's desk: what its team does between signing up and the day's trade.
package desk

import (
	"forecourt/views/layout"
)

// ChecklistFragment is what htmx asks for again while the first test order is outstanding.
const ChecklistFragment = "checklist"

// Home is the first page of a desk.
type Home struct {
	Frame   layout.Desk
	URL     string
	Items   []Item
	Done    int
	Live    bool
	Waits   bool // for the first test order, which the page looks for by itself
	MenuURL string
}

// Item is a line of the checklist.
type Item struct {
	Title, Text string
	Stage       string // "done", "next", "waiting" or "later"
	Action, URL string // a link, none without a URL
	First       bool   // the first that can be done now
}

// Shops lists the businesses of a person.
type Shops struct {
	Frame layout.Desk
	Shops []Shop
	Ready []Ready
}

// Shop is a business that a person works for.
type Shop struct {
	Name, URL, Role string
	Live            bool
}

// Ready is a merchant without a shop.
type Ready struct{ Name, URL string }
