package kitchen

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/pubsub"
)

// ErrUntil means that a text is not a time of day.
var ErrUntil = fault.New(fault.Invalid, "no time of day")

// Tomorrow is the end of a Switch at the beginning of the shop's next day.
const Tomorrow = "tomorrow"

// Switch takes an item off sale or puts it back; with Choice it does so with an option.
type Switch struct {
	ID     int64
	Choice bool
	Out    bool
	Until  string // when it comes back by itself: Tomorrow, a time of day such as "16:30", or "" for never
}

// Flip carries out a switch. Errors: ErrUntil; fault.NotFound if the business has no such item or option.
func (k *Kitchens) Flip(ctx context.Context, code string, s Switch) error {
	var until *time.Time
	if s.Out && s.Until != "" {
		clock, err := k.queries.ShopClock(ctx, code)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "no such business")
		}
		if err != nil {
			return err
		}
		at, err := endOf(s.Until, clock)
		if err != nil {
			return err
		}
		until = &at
	}
	var rows int64
	var err error
	if s.Choice {
		rows, err = k.queries.ChoiceSetSoldOut(ctx, db.ChoiceSetSoldOutParams{SoldOut: s.Out, Until: until, ID: s.ID, ShopCode: code})
	} else {
		rows, err = k.queries.ItemSetSoldOut(ctx, db.ItemSetSoldOutParams{SoldOut: s.Out, Until: until, ID: s.ID, ShopCode: code})
	}
	if err == nil && rows == 0 {
		return fault.New(fault.NotFound, "no such item or option")
	}
	if err != nil {
		return err
	}
	k.announce(pubsub.Kitchen(code))
	return nil
}

func endOf(text string, c db.ShopClockRow) (time.Time, error) {
	now := c.Now.In(clock.Zone(c.TimeZone))
	if text == Tomorrow {
		hours, _ := clock.ParseHours(c.Hours) // the desk accepts only valid hours
		return clock.Tomorrow(now, hours.Keeping(clock.ReadHolidays(c.Holidays))), nil
	}
	at, ok := clock.ParseClock(text)
	if !ok {
		return time.Time{}, ErrUntil
	}
	return clock.NextClock(now, at), nil
}

// Stock is what a shop offers, with what is sold out.
type Stock struct {
	Sections []Section
	Now      time.Time // in the shop's zone
	Paused   time.Time // until when the kitchen paused ordering, in the shop's zone; zero if it did not
}

// Section is a category with its items, or an option group with its options, in the order of the menu.
type Section struct {
	Name string
	List []Stocked
}

// All lists the items and options.
func (s Stock) All() (all []Stocked) {
	for _, section := range s.Sections {
		all = append(all, section.List...)
	}
	return all
}

// Stocked is an item or an option. Until is when it comes back by itself, in the shop's zone, or zero if it does not.
type Stocked struct {
	ID      int64
	Group   string // "" for an item
	Name    string
	SoldOut bool
	Until   time.Time
}

// Stock reads what a shop offers. It ignores opening hours.
func (k *Kitchens) Stock(ctx context.Context, code string) (s Stock, err error) {
	at, err := k.queries.ShopClock(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, fault.New(fault.NotFound, "no such business")
	}
	if err != nil {
		return s, err
	}
	rows, err := k.queries.StockList(ctx, code)
	if err != nil {
		return s, err
	}
	zone := clock.Zone(at.TimeZone)
	if s.Now = at.Now.In(zone); at.PausedUntil != nil {
		s.Paused = at.PausedUntil.In(zone)
	}
	for i, row := range rows {
		one := Stocked{ID: row.ID, Name: row.Name, SoldOut: row.SoldOut}
		if row.IsOption {
			one.Group = row.Section
		}
		if row.SoldOut && row.SoldOutUntil != nil {
			one.Until = row.SoldOutUntil.In(zone)
		}
		if i == 0 || row.SectionID != rows[i-1].SectionID || row.IsOption != rows[i-1].IsOption {
			s.Sections = append(s.Sections, Section{Name: row.Section})
		}
		last := &s.Sections[len(s.Sections)-1]
		last.List = append(last.List, one)
	}
	return s, nil
}
