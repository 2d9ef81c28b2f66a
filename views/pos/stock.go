package pos

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/kitchen"
)

// NoTime asks for a time of day.
const NoTime = "Enter a time such as 16:30."

// Until says until when something is sold out, by the clock of now's zone. A zero time means until somebody puts it back.
func Until(at, now time.Time) string {
	y, m, d := now.Date()
	tomorrow := time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
	switch {
	case at.IsZero():
		return "until you put it back"
	case at.Before(tomorrow):
		return "until " + clock.OfDay(at)
	case at.Equal(tomorrow):
		return "until tomorrow"
	default:
		return "until " + clock.OfDay(at) + " tomorrow"
	}
}

// Paused says until when a kitchen paused ordering, "" if it did not.
func Paused(s kitchen.Stock) string {
	if s.Paused.IsZero() {
		return ""
	}
	return "Paused until " + clock.OfDay(s.Paused)
}

// Element is the id of the element of an item or option.
func Element(s kitchen.Stocked) string {
	if s.Group != "" {
		return "o" + idText(s.ID)
	}
	return "i" + idText(s.ID)
}

// called returns its name with that of its group, for places where the group does not show.
func called(s kitchen.Stocked) string {
	if s.Group != "" {
		return s.Group + " " + s.Name
	}
	return s.Name
}

// switchField returns the name of its switch in the form.
func switchField(s kitchen.Stocked) string {
	switch {
	case s.Group != "" && s.SoldOut:
		return "on"
	case s.Group != "":
		return "out"
	case s.SoldOut:
		return "sell"
	default:
		return "sellout"
	}
}

// endField returns the name of the field that gives it an end.
func endField(s kitchen.Stocked) string {
	if s.Group != "" {
		return "choice"
	}
	return "item"
}
