package desk

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// Extras is the form of what a shop adds to orders.
type Extras struct {
	shop.Extras

	Seen        string // what the form was made from
	Problems    fault.Problems
	Saved       bool
	InAustralia bool
	Coming      []shop.Holiday // those of the shop's state
	Told        []string       // what guests see of what is saved
}

// rates returns the fields of the surcharges, from Monday on.
func (e Extras) rates() (fields []ui.Field) {
	for _, i := range []int{1, 2, 3, 4, 5, 6, 0, 7} {
		name := "Public holidays"
		if i < 7 {
			name = time.Weekday(i).String()
		}
		fields = append(fields, ui.Field{
			Name: "rate." + strconv.Itoa(i), Label: name, Bare: true, Value: e.Rates[i], InputMode: "decimal", Autocomplete: "off",
		})
	}
	return fields
}

// summary returns the fields for the ErrorSummary, in their order on the page.
func (e Extras) summary() []ui.Field {
	var names []string
	for _, f := range e.rates() {
		names = append(names, f.Name)
	}
	return ui.Fields(e.Problems).Summary(slices.Concat(names, []string{"tip.0", "tip.1", "tip.2", "state"}, DayFields(e.Days))...)
}

// DayFields names the fields of DayRows that can have a problem.
func DayFields(days []shop.Holiday) (names []string) {
	for n := range days {
		names = append(names, "day."+strconv.Itoa(n), "name."+strconv.Itoa(n))
	}
	return names
}

func states(now string) []ui.Option {
	if now == "" {
		return options(append([][2]string{{"", "None"}}, shop.States...), now)
	}
	return options(shop.States, now)
}

// DayName returns a day such as "2026-12-25" as people read it.
func DayName(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("Monday 2 January 2006")
}

// TellExtras says what guests see of the surcharges and tips of a shop.
func TellExtras(one shop.Shop) (told []string) {
	said := map[int32]bool{}
	week := []time.Weekday{1, 2, 3, 4, 5, 6, 0}
	for _, day := range week {
		rate := one.Surcharges[day]
		if rate == 0 || said[rate] {
			continue
		}
		said[rate] = true
		var days []string
		for _, other := range week {
			if one.Surcharges[other] == rate {
				days = append(days, other.String()+"s")
			}
		}
		told = append(told, tellRate(rate, "On "+printable.List(days)))
	}
	if rate := one.Surcharges[7]; rate > 0 {
		told = append(told, tellRate(rate, "On public holidays"))
	}
	if len(told) == 0 {
		told = append(told, "Nothing is added to orders on any day.")
	}
	if len(one.Tips) == 0 {
		return append(told, "Guests are not asked for a tip.")
	}
	tips := make([]string, len(one.Tips))
	for i, tip := range one.Tips {
		tips[i] = strconv.Itoa(int(tip)) + "%"
	}
	return append(told, "Guests may add a tip: "+strings.Join(tips, ", ")+" or another amount. It is shown apart on the receipt.")
}

func tellRate(rate int32, when string) string {
	return when + " " + order.Surcharge{Rate: rate}.Percent() + " is added to each order; they see it on the menu and before paying."
}
