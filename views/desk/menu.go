package desk

import (
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/menu"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// MenuFragment is the fragment that htmx swaps when something moves.
const MenuFragment = "menu"

// Menu is the draft of a business's menu, to be edited.
type Menu struct {
	Frame    layout.Desk
	URL      string // of the page: "/desk/ann/menu"
	Draft    menu.Menu
	Currency string        // of the prices
	Changes  []menu.Change // that guests do not see yet
	Notice   string        // what was just done; "" for nothing
	Trouble  string        // what went wrong; "" for nothing
	By       string        // who last changed the draft, and when; "" if nobody did
	Live     bool          // guests see a menu
	Guests   string        // address of the menu as guests see it
	Home     string        // address of the checklist; "" once the business is live
}

// mostListed is how many changes a page lists at first sight.
const mostListed = 30

// listed splits changes into those that a page lists at once and the rest.
func listed(changes []menu.Change) (first, rest []menu.Change) {
	n := min(len(changes), mostListed)
	return changes[:n], changes[n:]
}

var kinds = map[string]string{"category": "category", "item": "item", "group": "option group"}

func sentence(c menu.Change) string {
	switch {
	case c.Kind == "menu":
		return "The categories are in another order."
	case c.Kind == "groups":
		return "The option groups are in another order."
	case c.What == menu.Ordered:
		return "The items of " + c.Name + " are in another order."
	case c.What == menu.Added:
		return "New " + kinds[c.Kind] + ": " + c.Name
	case c.What == menu.Removed:
		return "Removed " + kinds[c.Kind] + ": " + c.Name
	}
	parts := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		parts[i] = strings.ToLower(f.Label[:1]) + f.Label[1:] + " " + short(f.Was) + " → " + short(f.Now)
	}
	return c.Name + ": " + strings.Join(parts, "; ")
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

// problemField returns a field with the message of its problem.
func problemField(kind string, problems menu.Problems, f ui.Field, key string) ui.Field {
	if problem := problems[key]; problem != "" {
		f.Problem = menu.Words(kind, key, problem)
	}
	return f
}

func price(minor int64, currency string) string {
	if minor == 0 {
		return "Free"
	}
	return money.Price(minor, currency)
}

// lines puts each part of hours on a line of its own.
func lines(hours string) string { return strings.ReplaceAll(hours, "; ", "\n") }
