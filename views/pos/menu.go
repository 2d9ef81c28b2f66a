package pos

import (
	"strconv"

	"github.com/a-h/templ"
)

type part string

// Changing is the part of the menu and of the order view that depends on the basket, for templ.RenderFragments.
const Changing part = "changing"

// eager is how many pictures a phone shows before anybody scrolls.
const eager = 6

// loading fetches the first pictures at once, the very first before all else, and the others when they come near.
func loading(place int) templ.Attributes {
	switch {
	case place == 0:
		return templ.Attributes{"fetchpriority": "high"}
	case place < eager:
		return nil
	default:
		return templ.Attributes{"loading": "lazy"}
	}
}

// itemAnchor lets a page without scripts come back to the row whose button was pressed.
func itemAnchor(id int64) string { return "i" + strconv.FormatInt(id, 10) }

func qtyName(id int64) string { return "qty." + strconv.FormatInt(id, 10) }

// pieces words how much is in the basket: "1 item", "3 items".
func pieces(count int) string {
	if count == 1 {
		return "1 item"
	}
	return strconv.Itoa(count) + " items"
}
