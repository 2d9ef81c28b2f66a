// Package pos renders the order menu and the order view.
package pos

import (
	"forecourt/internal/shop/order"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Menu is the order menu of one business.
type Menu struct {
	Frame      ui.Customer
	Action     string // where the form posts: the page itself
	Key        string // idempotency key of the chosen basket, empty for an empty basket
	Categories []Category
	Filter     Filter
	Kept       []Pick // picks of items that the filter hides or that are gone
	Count      int    // pieces in the basket
	Total      string // "$12.50"
	Closures   []string
	Surcharge  string // a sentence about what is added to the order today; "" for nothing
	Notice     string // what went wrong with the last try, in words; empty if nothing
	Props      props.Basket
	Empty      bool           // nothing was ever published
	Editor     string         // in a preview, where the menu is edited
	Running    *order.Running // the order that this guest waits for; nil for none
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
	Allergens string // in words; "" if the menu states nothing about any item
	Suits     string // which options to avoid, if it suits the guest's filter only without them
	Picks     []Pick // its picks in the basket
}

// Qty returns how many are in the basket.
func (i Item) Qty() (qty int) {
	for _, p := range i.Picks {
		qty += p.Qty
	}
	return qty
}

// Pick is an item with its options, as the basket's form names it.
type Pick struct {
	Value string
	Qty   int
}

// ItemForm is the page on which an item is chosen with its options.
type ItemForm struct {
	Frame   ui.Customer
	Shop    string
	Item    Item
	Action  string // where the form posts: the page itself
	MenuURL string
	Edit    string // the pick of the order that it changes; empty for a new one
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

// Order is the order view without JavaScript: what was chosen, before it is paid.
type Order struct {
	Frame      ui.Customer
	Action     string // where the form posts: the page itself
	MenuURL    string // "Add more items"
	Key        string
	Lines      []Line
	Items      int64 // minor units, as are all amounts
	Extras     []order.Extra
	Tip        int64 // of Extras
	Total      int64 // with Extras; without Tip it is sent back, so that a changed price is noticed
	Currency   string
	TableField ui.Field
	NameField  ui.Field
	Tips       []Tip // to choose from; nil where none are taken
	ChosenTip  string
	TipField   ui.Field // the amount of OtherTip
	Notice     string   // changed price, sold-out item, empty basket
}

// OtherTip is the value of the tip whose amount a guest types.
const OtherTip = "other"

// Tip is one of the tips that a business offers.
type Tip struct {
	Value  string // "" for no tip, "10" for a percentage, or OtherTip
	Name   string // "10%"
	Amount int64  // minor units, of a percentage
}

// Line is one chosen item.
type Line struct {
	order.Made

	Pick order.Pick
	Qty  int
	URL  string // where it is changed
}

// called returns the name of a line with its options.
func (l Line) called() string {
	if len(l.Options) == 0 {
		return l.Item.Name
	}
	return l.Item.Name + " with " + order.Chosen(l.Options)
}
