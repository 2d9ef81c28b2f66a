package desk

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// Screens is the page of a business's kitchen screens. Name is what was typed for a new one, or the name of the one with the code, which is
// shown once.
type Screens struct {
	Ended         bool // one was just ended
	Name, Problem string
	Code          *ui.QRCode // nil for none
	Zone          *time.Location
	Screens       []shop.Screen
}

func (m Screens) field() ui.Field {
	f := ui.Field{
		ID: "name", Name: "name", Label: "Name of the screen", Autocomplete: "off", MaxLength: shop.MostScreenName, Problem: m.Problem,
		Hint: "So that you know later which one it is, such as “Tablet at the grill”.",
	}
	if m.Problem != "" {
		f.Value = m.Name
	}
	return f
}

func screenText(s shop.Screen, zone *time.Location) string {
	at := func(t time.Time) string { return clock.Text(t, zone) }
	switch {
	case s.EndedAt != nil:
		return "Disconnected " + at(*s.EndedAt)
	case s.OpenedAt == nil && s.Late:
		return "Its link was never opened and no longer works"
	case s.OpenedAt == nil:
		return "Waiting for its link to be opened"
	case s.SeenAt != nil:
		return "Last seen " + at(*s.SeenAt)
	default:
		return "Connected " + at(*s.OpenedAt)
	}
}
