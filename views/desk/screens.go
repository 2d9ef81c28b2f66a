package desk

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Screens is the page of a business's kitchen screens.
type Screens struct {
	Frame   layout.Desk
	URL     string
	Ended   bool        // one was just ended
	Link    *ScreenLink // of a screen that was just connected; nil for none
	Screens []Screen
	Field   ui.Field
}

// ScreenLink is the link of a kitchen screen, which is shown once.
type ScreenLink struct {
	Name string
	Code layout.QRCode
}

// Screen is a kitchen screen.
type Screen struct {
	ID, Name string
	Text     string // its state, in words
	Works    bool   // not ended
}

// These are the problems of a new kitchen screen.
const (
	NoScreenName   = "Give the screen a name of at most 40 characters, such as “Tablet at the grill”"
	TooManyScreens = "A business can have 20 kitchen screens. Disconnect one that you no longer use."
)

// ScreensOf returns the page of a list.
func ScreensOf(screens []shop.Screen, zone *time.Location) Screens {
	m := Screens{Field: ui.Field{
		ID: "name", Name: "name", Label: "Name of the screen", Autocomplete: "off", MaxLength: shop.MostScreenName,
		Hint: "So that you know later which one it is, such as “Tablet at the grill”.",
	}}
	for _, s := range screens {
		m.Screens = append(m.Screens, Screen{ID: s.ID.String(), Name: s.Name, Text: screenText(s, zone), Works: s.Ended == nil})
	}
	return m
}

func screenText(s shop.Screen, zone *time.Location) string {
	at := func(t time.Time) string { return clock.Text(t, zone) }
	switch {
	case s.Ended != nil:
		return "Disconnected " + at(*s.Ended)
	case s.Opened == nil && s.Expired:
		return "Its link was never opened and no longer works"
	case s.Opened == nil:
		return "Waiting for its link to be opened"
	case s.Seen != nil:
		return "Last seen " + at(*s.Seen)
	default:
		return "Connected " + at(*s.Opened)
	}
}
