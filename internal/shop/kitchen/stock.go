package kitchen

import (
	"context"
	"errors"
	"slices"
	"strings"
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
		return clock.Tomorrow(now, hours), nil
	}
	at, ok := clock.ParseClock(text)
	if !ok {
		return time.Time{}, ErrUntil
	}
	return clock.NextClock(now, at), nil
}

// Stock is what a shop offers, with what is sold out.
type Stock struct {
	Items  []Stocked // by name
	Groups []StockGroup
	Now    time.Time // in the shop's zone
}

// StockGroup is an option group with its options.
type StockGroup struct {
	Name    string
	Choices []Stocked
}

// All lists the items and options.
func (s Stock) All() []Stocked {
	all := slices.Clone(s.Items)
	for _, g := range s.Groups {
		all = append(all, g.Choices...)
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
	s.Now = at.Now.In(zone)
	group := int64(0)
	for _, row := range rows {
		one := Stocked{ID: row.ID, Group: row.GroupName, Name: row.Name, SoldOut: row.SoldOut}
		if row.SoldOut && row.SoldOutUntil != nil {
			one.Until = row.SoldOutUntil.In(zone)
		}
		if row.GroupID == 0 {
			s.Items = append(s.Items, one)
			continue
		}
		if row.GroupID != group {
			s.Groups, group = append(s.Groups, StockGroup{Name: row.GroupName}), row.GroupID
		}
		last := &s.Groups[len(s.Groups)-1]
		last.Choices = append(last.Choices, one)
	}
	slices.SortFunc(s.Items, func(a, b Stocked) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}
