package desk

import (
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// MenuFragment is the fragment that htmx swaps when something moves.
const MenuFragment = "menu"

// Menu is the menu of a business on one of the pages that edit it as a whole: its draft, what would change for guests, its versions.
type Menu struct {
	menu.State

	Frame   ui.Desk
	Shop    shop.Shop
	URL     string        // of the menu's page: "/desk/ann/menu"
	Changes []menu.Change // that guests do not see yet
	Faults  []menu.Fault  // why the draft cannot be published, or a file not be read
	Notice  string        // what was just done; "" for nothing
	Trouble string        // what went wrong; "" for nothing
	Reorder bool          // the arrows show
}

// offered reports whether guests see an item, so that it can be sold out.
func (m Menu) offered(id int64) bool {
	item, _ := m.Published.Item(id)
	return item != nil && item.Available
}

// flip names the button that changes whether an item is sold out.
func flip(out bool) string {
	if out {
		return "sell"
	}
	return "sellout"
}

// changed says who last changed the draft, and when; "" if nobody did.
func (m Menu) changed() string {
	if m.By == "" {
		return ""
	}
	return m.By + ", " + When(m.At, m.Shop.TimeZone)
}

// mostListed is how many changes a page lists at first sight.
const mostListed = 30

// listed splits changes into those that a page lists at once and the rest.
func listed(changes []menu.Change) (first, rest []menu.Change) {
	n := min(len(changes), mostListed)
	return changes[:n], changes[n:]
}

func sentence(c menu.Change) string {
	switch {
	case c.Kind == "menu":
		return "The categories are in another order."
	case c.Kind == "groups":
		return "The options are in another order."
	case c.What == menu.Ordered:
		return "The items of " + printable.Isolated(c.Name) + " are in another order."
	case c.What == menu.Added:
		added := "New " + menu.KindNames[c.Kind] + ": " + printable.Isolated(c.Name)
		for _, f := range c.Fields {
			added += ", " + f.Now
		}
		return added
	case c.What == menu.Removed:
		return "Removed " + menu.KindNames[c.Kind] + ": " + printable.Isolated(c.Name)
	}
	parts := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		label := strings.ToLower(f.Label[:1]) + f.Label[1:]
		parts[i] = label + " " + printable.Isolated(short(f.Was)) + " → " + printable.Isolated(short(f.Now))
	}
	return printable.Isolated(c.Name) + ": " + strings.Join(parts, "; ")
}

// short returns a value as a line of changes shows it.
func short(text string) string {
	if text == "" {
		return "none"
	}
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return text
}

// HowMany counts changes: "1 change", "3 changes".
func HowMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// When returns a time by a business's clock, with the day of the week: "Mon 24 Nov 2026, 6:00 am AEDT".
func When(at time.Time, zone string) string {
	in := clock.Zone(zone)
	at = at.In(in)
	return at.Format("Mon 2 Jan 2006, ") + clock.OfDay(at) + "\u00a0" + clock.Name(at, in)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func price(minor int64, currency string) string {
	if minor == 0 {
		return "Free"
	}
	return money.Price(minor, currency)
}

// Import is the page that takes a menu from a file. Its Faults are the file's; its Changes what the file would change in the draft.
type Import struct {
	Menu

	Problem  string   // of the file as a whole; "" for none
	Text     string   // of a file with mistakes, to be corrected; "" for none
	Add      bool     // what the file lacks stays
	Compared bool     // a file was read
	Assumed  []string // what the file leaves open, and how it was read
	Whole    string   // the text of the file that was compared
}
