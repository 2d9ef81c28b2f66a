package pos

import (
	"strconv"
	"time"

	"forecourt/internal/kit/printable"
	"forecourt/views/props"
)

// Whose names an order to those who carry it out.
func Whose(table, name string) string {
	switch {
	case table != "":
		return "Table " + printable.Isolated(table)
	case name != "":
		return name
	default:
		return "Takeaway"
	}
}

// Age says how long an order has waited, in whole minutes.
func Age(since, now time.Time) string {
	minutes := int(now.Sub(since).Minutes())
	if minutes < 1 {
		return "just now"
	}
	if minutes < 60 {
		return strconv.Itoa(minutes) + " min"
	}
	return strconv.Itoa(minutes/60) + " h " + strconv.Itoa(minutes%60) + " min"
}

// Ago says how long ago something was done.
func Ago(at, now time.Time) string {
	if now.Sub(at) < time.Minute {
		return Age(at, now)
	}
	return Age(at, now) + " ago"
}

// Late returns how urgent an order is: "", "soon" or "late". late in islands/pos/kitchen/ages.ts counts on.
func Late(since, now time.Time) string {
	switch waited := now.Sub(since); {
	case waited >= props.KitchenLate*time.Minute:
		return "late"
	case waited >= props.KitchenSoon*time.Minute:
		return "soon"
	default:
		return ""
	}
}

// current is the value of aria-current for a link to the page that is shown.
func current(shown bool) string {
	if shown {
		return "page"
	}
	return "false"
}

// isAre goes on after a number of things.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// notShown goes on after a number of orders.
func notShown(n int) string {
	if n == 1 {
		return "is not shown. It appears"
	}
	return "are not shown. They appear"
}

// saleState names the state that a switch shows.
func saleState(soldOut bool) string {
	if soldOut {
		return "Sold out"
	}
	return "On sale"
}
