package pos

import (
	"strconv"
	"time"

	"forecourt/internal/kit/clock"
)

// Stock has the switches of what a business sells.
type Stock struct {
	Trouble string // why the last switch did nothing
	Items   []Stocked
	Groups  []StockGroup
}

// StockGroup is an option group with the switches of its choices.
type StockGroup struct {
	Name    string
	Choices []Stocked
}

// Stocked is an item, or an option of a group, with its switch.
type Stocked struct {
	ID      int64
	Group   string // "" for an item
	Name    string
	SoldOut bool
	Until   string // until when it is sold out, in words; "" if it is on sale
	Ends    bool   // it comes back by itself
}

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

// All lists the items and options.
func (s Stock) All() []Stocked {
	all := append([]Stocked{}, s.Items...)
	for _, g := range s.Groups {
		all = append(all, g.Choices...)
	}
	return all
}

// Element is the id of its element.
func (s Stocked) Element() string {
	if s.Group != "" {
		return "o" + s.id()
	}
	return "i" + s.id()
}

func (s Stocked) id() string { return strconv.FormatInt(s.ID, 10) }

// called returns its name with that of its group, for places where the group does not show.
func (s Stocked) called() string {
	if s.Group != "" {
		return s.Group + " " + s.Name
	}
	return s.Name
}

// field returns the name of its switch in the form.
func (s Stocked) field() string {
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

// kind returns the name of the field that gives it an end.
func (s Stocked) kind() string {
	if s.Group != "" {
		return "choice"
	}
	return "item"
}
