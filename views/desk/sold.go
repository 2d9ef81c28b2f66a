package desk

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// ManyDays says that a period is too long.
const ManyDays = "Choose at most 31 days"

// topItems is how many items are shown at first.
const topItems = 20

// Sold is the page of what was sold from a first day until a last, compared with as many days before.
type Sold struct {
	Frame               ui.Desk
	Test                bool
	Currency            string
	Today, First, Until time.Time
	Typed               url.Values
	Problems            fault.Problems
	Rows                []books.SoldRow
	Export              bool // the reader may download the rows
}

// Last returns the fields for the last days, today included.
func (m Sold) Last(days int) url.Values {
	return url.Values{"from": {m.Today.AddDate(0, 0, 1-days).Format(time.DateOnly)}, "to": {m.Today.Format(time.DateOnly)}}
}

// Days is how many days the period has.
func (m Sold) Days() int { return int(m.Until.Sub(m.First).Hours())/24 + 1 }

// before names the days before.
func (m Sold) before() string {
	if m.Days() == 1 {
		return "the day before"
	}
	return strconv.Itoa(m.Days()) + " days before"
}

// other reports whether the period is none of those that are one tap away.
func (m Sold) other() bool {
	return !slices.ContainsFunc([]int{1, 7, 28}, func(days int) bool { return maps.EqualFunc(m.Typed, m.Last(days), slices.Equal) })
}

func (m Sold) fields() []ui.Field {
	list := []ui.Field{{Name: "from", Label: "First day", Type: "date"}, {Name: "to", Label: "Last day", Type: "date"}}
	for i, f := range list {
		f.Value = m.Typed.Get(f.Name)
		list[i] = ui.Fields(m.Problems).Of(f)
	}
	return list
}

// csv is the page that downloads the same days.
func (m Sold) csv() string {
	query := url.Values{"kind": {string(books.ExportLines)}, "from": m.Typed["from"], "to": m.Typed["to"]}
	return m.Frame.In("exports?"+query.Encode(), m.Test)
}

// of lists the rows of a part: items, categories or hours.
func (m Sold) of(part string) (list []books.SoldRow) {
	for _, row := range m.Rows {
		if row.Part == part {
			row.Label = cmp.Or(row.Label, "No longer on the menu")
			list = append(list, row)
		}
	}
	return list
}

// figures are the sums of the period, beside those of the days before.
func (m Sold) figures() []figure {
	var sum books.SoldRow
	for _, row := range m.of("category") {
		sum.Qty, sum.AmountMinor = sum.Qty+row.Qty, sum.AmountMinor+row.AmountMinor
		sum.BeforeQty, sum.BeforeMinor = sum.BeforeQty+row.BeforeQty, sum.BeforeMinor+row.BeforeMinor
	}
	than := map[int]string{1: "Up from ", 0: "The same as ", -1: "Down from "}[cmp.Compare(sum.AmountMinor, sum.BeforeMinor)]
	return []figure{
		{"Sold for", money.Label(sum.AmountMinor, m.Currency), than + money.Label(sum.BeforeMinor, m.Currency) + " in the days before"},
		{"Items", strconv.FormatInt(sum.Qty, 10), strconv.FormatInt(sum.BeforeQty, 10) + " before"},
	}
}

// hours lists the hours from the first to the last in which something was sold.
func (m Sold) hours() (list []hour) {
	var all [24]hour
	first, last := 24, -1
	for _, row := range m.of("hour") {
		from, _ := strconv.Atoi(row.Label)
		nth := (from - shop.DayTurns + 24) % 24
		all[nth].now, all[nth].before = row.AmountMinor, row.BeforeMinor
		first, last = min(first, nth), max(last, nth)
	}
	for last >= 0 && last-first < 11 {
		first, last = max(first-1, 0), min(last+1, 23)
	}
	for nth := first; nth <= last; nth++ {
		all[nth].from = (shop.DayTurns + nth) % 24
		list = append(list, all[nth])
	}
	return list
}

// share is the width of a row's bar, of 100 for the largest amount of its list.
func share(row books.SoldRow, list []books.SoldRow) string {
	return strconv.FormatInt(100*row.AmountMinor/max(list[0].AmountMinor, 1), 10)
}
