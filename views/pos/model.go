// Package pos renders the order menu and the order view.
package pos

import (
	"unicode"

	"forecourt/views/layout"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Menu is the order menu of one business.
type Menu struct {
	Frame       layout.Customer
	Merchant    layout.Merchant
	Table, Name string // from ?t= and ?n=
	Action      string // where the form posts: the page itself
	Key         string // idempotency key of the chosen basket, empty for an empty basket
	Categories  []Category
	Count       int    // pieces in the basket
	Total       string // "$12.50"
	Notice      string // what went wrong with the last try, in words; empty if nothing
	Props       props.Basket
	Editor      string // in a preview, where the menu is edited
}

// Category is a heading with its available items, never empty.
type Category struct {
	ID    string // for anchors: "c-3"
	Name  string
	Items []Item
}

// Item is one row of the menu.
type Item struct {
	ID                int64
	Name, Description string
	Price             string // "$4.50"
	PriceMinor        int64  // the same in minor units, for the running total
	Picture           layout.Picture
	Qty               int
	SoldOut           bool
}

// initial returns the first letter of a name, to stand where a picture is missing.
func initial(name string) string {
	for _, r := range name {
		return string(unicode.ToUpper(r))
	}
	return ""
}

// Order is the order view without JavaScript: what was chosen, before it is paid.
type Order struct {
	Frame       layout.Customer
	Merchant    layout.Merchant
	Table, Name string
	Action      string // where the form posts: the page itself
	MenuURL     string // "Add more items"
	Key         string
	Lines       []Line
	Total       string // "$12.50"
	Amount      string // "12.50", sent back so that a changed price is noticed
	SubmitLabel string // "Proceed to Payment" or "Test Payment"
	NameField   ui.Field
	Notice      string // changed price, sold-out item, empty basket
}

// Line is one chosen item.
type Line struct {
	ID          int64
	Name        string
	Picture     layout.Picture
	Price       string // each
	Amount      string // all of them
	Qty         int
	Unavailable bool // no longer available; has to be removed
}
