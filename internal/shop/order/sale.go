package order

import (
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
)

// sale compares opening hours with one moment.
type sale struct {
	now      time.Time
	holidays clock.Holidays
	read     map[string]clock.Hours
	used     bool // something has hours
}

// newSale returns a sale for a moment, by the clock of a zone. holidays are those of the database's holidays_of.
func newSale(now time.Time, zone, holidays string) *sale {
	place, err := time.LoadLocation(zone)
	if err != nil {
		place = time.UTC // the desk accepts only known zones
	}
	return &sale{now: now.In(place), holidays: clock.ReadHolidays(holidays), read: map[string]clock.Hours{}}
}

// apply closes an item if one of texts, which state hours, leaves out the present moment.
func (s *sale) apply(item *Item, texts ...string) {
	var all []clock.Hours
	for _, text := range texts {
		if text != "" {
			all = append(all, s.hours(text))
		}
	}
	opens, ok := clock.Opens(s.now, all...)
	if ok && opens.Equal(s.now) {
		return
	}
	item.Closed, item.SoldOut, item.Opens = true, true, opens
}

// hours reads a text that states hours.
func (s *sale) hours(text string) clock.Hours {
	s.used = true
	if _, ok := s.read[text]; !ok {
		hours, _ := clock.ParseHours(text) // hours that cannot be read close nothing
		s.read[text] = hours.Keeping(s.holidays)
	}
	return s.read[text]
}

// within reports whether a text states hours that the present moment is in.
func (s *sale) within(text string) bool {
	if text == "" {
		return false
	}
	opens, ok := clock.Opens(s.now, s.hours(text))
	return ok && opens.Equal(s.now)
}

// ClosedWords returns the words for an item that is closed, such as "opens at 11:30"; "" for one that is not.
func (i *Item) ClosedWords() string {
	if !i.Closed {
		return ""
	}
	return clock.OpensWords(i.Opens, time.Now())
}

// UsualWords says until when an item has another price than the usual one: "until 6:00 pm"; "" for not soon.
func (i *Item) UsualWords() string {
	if i.Until.IsZero() {
		return ""
	}
	return "until " + strings.TrimPrefix(strings.TrimPrefix(clock.WhenWords(i.Until, time.Now()), "at "), "on ")
}

// NotNow says in a sentence that an item is closed, and when it opens; "" for one that is not closed.
func (i *Item) NotNow() string {
	if !i.Closed {
		return ""
	}
	text := printable.Isolated(i.Name) + " is not available now."
	if !i.Opens.IsZero() {
		text += " It " + i.ClosedWords() + "."
	}
	return text
}
