package staff

import (
	"strconv"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// HolidayYears is how many years ahead staff keep public holidays.
const HolidayYears = 3

// Holidays is the form of the public holidays of a state in a year.
type Holidays struct {
	Path       string
	State      string
	Year, This int
	Days       []shop.Holiday
	Seen       string // what the form was made from
	Problems   fault.Problems
	Saved      bool
}

func (m Holidays) states() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "of-state", Name: "state", Label: "State"}}
	for _, s := range shop.States {
		c.Options = append(c.Options, ui.Option{Value: s[0], Label: s[1], Chosen: s[0] == m.State})
	}
	return c
}

func (m Holidays) years() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "of-year", Name: "year", Label: "Year"}}
	for year := m.This; year <= m.This+HolidayYears; year++ {
		text := strconv.Itoa(year)
		c.Options = append(c.Options, ui.Option{Value: text, Label: text, Chosen: year == m.Year})
	}
	return c
}

// title names the state and the year.
func (m Holidays) title() string {
	for _, s := range shop.States {
		if s[0] == m.State {
			return s[1] + ", " + strconv.Itoa(m.Year)
		}
	}
	return strconv.Itoa(m.Year)
}
