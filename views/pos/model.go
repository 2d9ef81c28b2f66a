// Package pos renders the order menu and the order view.
package pos

import (
	"unicode"

	"forecourt/internal/shop/order"
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
	Filter      Filter
	Kept        []Pick // picks of items that the filter hides
	Count       int    // pieces in the basket
	Total       string // "$12.50"
	Notice      string // what went wrong with the last try, in words; empty if nothing
	Props       props.Basket
	Empty       bool           // nothing was ever published
	Editor      string         // in a preview, where the menu is edited
	Running     *order.Running // the order that this guest waits for; nil for none
}

// Category is a heading with its available items, never empty.
type Category struct {
	ID    string // for anchors: "c-3"
	Name  string
	Items []Item
}

// Item is one row of the menu.
type Item struct {
	*order.Item
	Currency  string
	Qty       int
	Allergens string // in words; "" if the menu states nothing about any item
	Suits     string // which options to avoid, if it suits the guest's filter only without them
	Picks     []Pick // its picks in the basket
	drawn     string // the row as HTML, where it is kept; see Draw
}

// Pick is an item with its options, as the basket's form names it.
type Pick struct {
	Value string
	Qty   int
}

// ItemForm is the page on which an item is chosen with its options.
type ItemForm struct {
	Frame   layout.Customer
	Shop    string
	Item    Item
	Action  string // where the form posts: the page itself
	MenuURL string
	Groups  []Group
	Note    *ui.Field // nil where no note may be written
	Qty     ui.Field
	Notice  string // what went wrong with the last try, in words; empty if nothing
}

// Group is an option group of an item, some of whose choices may be sold out.
type Group struct {
	*order.Group
	Choices []Choice
	Listed  bool // the allergens of the item or its options are stated
	Problem string
}

// Choice is one option of a group.
type Choice struct {
	order.Choice
	Chosen bool
	Unfit  bool // it does not suit the guest's filter
}

// initial returns the first letter of a name, which replaces a missing picture.
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
	Pick        string
	Name        string
	Options     string // "Large, Oat milk"
	Note        string // to the kitchen
	Picture     string // the name of its asset
	Price       string // each
	Amount      string // all of them
	Qty         int
	Unavailable bool   // no longer available; has to be removed
	Opens       string // when it is closed: when it is on sale again, such as "opens at 11:30"
}
