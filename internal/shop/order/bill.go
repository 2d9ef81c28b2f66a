package order

import (
	"slices"
	"strconv"
	"time"

	"forecourt/db/state"
)

// Bill is an order as the present menu makes and prices it. Amounts are in minor units.
type Bill struct {
	Made    []Made            // each line
	Missing *UnavailableError // the lines that cannot be ordered, which cost nothing; nil for none
	Items   int64             // what the lines come to
	Extras  []Extra           // what is added to them
	Total   int64

	lines []Line
}

// Extra is a line of an order that is no item: nothing is made.
type Extra struct {
	Kind   state.LineKind
	Name   string // "Sunday surcharge 10%"
	Amount int64  // minor units

	taxed int64 // the part that includes GST
}

// Price applies the menu to the lines of an order and a tip in minor units. Only this function decides what an order costs.
func (m *Menu) Price(lines []Line, tip int64) Bill {
	b := Bill{Made: make([]Made, len(lines)), lines: lines}
	var taxed int64
	for i, line := range lines {
		b.Made[i] = m.Make(line)
		if b.Made[i].Problem == "" {
			b.Items += b.cost(i)
			taxed += b.taxed(i)
			continue
		}
		if b.Missing == nil {
			b.Missing = &UnavailableError{}
		}
		b.Missing.add(line, b.Made[i])
	}
	if added := m.Surcharge.Of(b.Items); added > 0 { // and of the tax in the items, the same share
		b.Extras = append(b.Extras, Extra{state.LineSurcharge, m.Surcharge.Name, added, share(added, taxed, b.Items)})
	}
	if tip > 0 && b.Items > 0 {
		b.Extras = append(b.Extras, Extra{state.LineTip, "Tip", tip, 0})
	}
	b.Total = b.Items
	for _, extra := range b.Extras {
		b.Total += extra.Amount
	}
	return b
}

// cost returns what a line comes to.
func (b *Bill) cost(i int) int64 { return b.Made[i].PriceMinor * int64(b.lines[i].Qty) }

// taxed returns the part of a line that includes GST.
func (b *Bill) taxed(i int) int64 {
	if b.Made[i].Item.GSTFree {
		return 0
	}
	return b.cost(i)
}

// share returns part of an amount as it is part of a whole, to the nearest minor unit.
func share(amount, part, whole int64) int64 { return (2*amount*part + whole) / (2 * whole) }

func sum(all []int64) (total int64) {
	for _, one := range all {
		total += one
	}
	return total
}

// Surcharge is what a business adds to each order of a day.
type Surcharge struct {
	Rate int32  // hundredths of a percent; 0 for none
	Name string // "Sunday surcharge 10%"
	Day  string // "Sundays", or the name of a public holiday

	Holiday bool
}

// Of returns the surcharge on an amount, to the nearest minor unit.
func (s Surcharge) Of(amount int64) int64 { return share(amount, int64(s.Rate), 100_00) }

// TipOf returns a tip in percent of what the items come to, to the nearest minor unit.
func TipOf(items int64, percent int32) int64 { return share(items, int64(percent), 100) }

// Percent returns the rate: "10%", "7.5%".
func (s Surcharge) Percent() string {
	return strconv.FormatFloat(float64(s.Rate)/100, 'f', -1, 64) + "%"
}

// holidayRate is where a shop's rates have the one of public holidays, after those of Sundays to Saturdays.
const holidayRate = 7

// surcharge returns the surcharge of the present day.
func (s *sale) surcharge(rates []int32) (now Surcharge) {
	if !slices.ContainsFunc(rates, func(r int32) bool { return r > 0 }) {
		return now
	}
	s.used = true
	weekday := s.now.Weekday().String()
	now = Surcharge{Rate: rates[s.now.Weekday()], Day: weekday + "s"}
	if name := s.holidays[s.now.Format(time.DateOnly)]; name != "" && rates[holidayRate] > 0 {
		now, weekday = Surcharge{Rate: rates[holidayRate], Day: name, Holiday: true}, "Public holiday"
	}
	now.Name = weekday + " surcharge " + now.Percent()
	return now
}
