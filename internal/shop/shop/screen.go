package shop

import (
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// The limits of a shop's kitchen screens.
const (
	MostScreens    = 20 // kitchen screens at a time
	MostScreenName = 40 // characters of a kitchen screen's name

	ScreenLinkFor  = 24 * time.Hour      // how long a link works that connects a kitchen screen
	ScreenShownFor = 30 * 24 * time.Hour // how long one that ended stays on the list
)

// Reasons to refuse a kitchen screen.
var (
	// ErrScreenName means that a screen's name is empty, too long or not printable.
	ErrScreenName = fault.New(fault.Invalid, "not a valid name of a kitchen screen")
	// ErrScreens means that the shop has reached its limit of screens.
	ErrScreens = fault.New(fault.Conflict, "more than %d kitchen screens", MostScreens)
	// ErrScreenLink means that a screen's link was opened before, is too old, was ended or never existed.
	ErrScreenLink = fault.New(fault.Gone, "no such link of a kitchen screen")
	// ErrScreenEnded means that the team ended the screen that sent the request.
	ErrScreenEnded = fault.New(fault.Forbidden, "the kitchen screen was ended")
	// ErrNoScreen means that the shop has no such screen, or that it was ended.
	ErrNoScreen = fault.New(fault.NotFound, "no such kitchen screen")
)

// Screen is a kitchen screen: a browser in a kitchen that needs no account.
type Screen struct {
	ID      uuid.UUID
	Name    string
	MadeBy  string // email of the person who connected it; "" once that account was deleted
	Made    time.Time
	Opened  *time.Time // nil while nobody has opened its link
	Seen    *time.Time // when it last sent a request; may lag by 20 seconds
	Ended   *time.Time // nil while it works
	Expired bool       // its link is too old and was never opened
}

// ScreenName cleans the name of a kitchen screen. Errors: ErrScreenName.
func ScreenName(typed string) (string, error) {
	name := printable.MakeLine(typed, MostScreenName+1)
	if name == "" || len([]rune(name)) > MostScreenName {
		return "", ErrScreenName
	}
	return name, nil
}
