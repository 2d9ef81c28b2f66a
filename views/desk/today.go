package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

// TodayFragment is the fragment with the day so far, which htmx refreshes.
const TodayFragment = "today"

// Today is the day of a business so far.
type Today struct {
	Frame      ui.Desk
	Day        books.Today
	KitchenURL string // "" for somebody who may not open it
	Hours      clock.Hours
	Hidden     bool // the takings, from the reader
}

// head is the top of the page of a day.
func (m Today) head() ui.Head {
	return ui.Head{Title: "Today", Pills: templ.Join(mode(m.Frame, m.Day.Test), dayName(shop.DateOf(m.Day.At)))}
}

// need is something that waits for a person: what it is, more about it, and where to see to it.
type need struct{ what, more, url, action string }

// needs lists what waits for a person, the most pressing first.
func (m Today) needs() (list []need) {
	// The first sentence of a text says what it is.
	say := func(text, url, action string) {
		what, more, _ := strings.Cut(text, ". ")
		list = append(list, need{strings.TrimSuffix(what, "."), more, url, action})
	}
	add := func(n int64, one, many, url, action string) {
		switch {
		case n == 1:
			say("1 "+one, url, action)
		case n >= books.MostWaiting:
			say(strconv.Itoa(books.MostWaiting)+" or more "+many, url, action)
		case n > 1:
			say(strconv.FormatInt(n, 10)+" "+many, url, action)
		}
	}
	if m.Day.Paused && m.Day.Watched {
		say("Ordering is paused for a few minutes. The kitchen is busy.", m.KitchenURL, "Open the kitchen")
	} else if m.Day.Paused {
		say("No kitchen screen is open, so guests cannot order.", m.KitchenURL, "Open the kitchen")
	}
	for _, n := range m.Day.Needs {
		test := ""
		if n.TestMode && m.Frame.EverLive {
			test = "test "
		}
		page := func(page string) string { return m.Frame.In(page, n.TestMode) }
		list := func(list string) string {
			if m.Hidden {
				return ""
			}
			return page(list)
		}
		since := clock.OfDay(n.Oldest.In(m.Day.At.Location())) + "."
		if !m.Day.Watched {
			since += " No kitchen screen is open."
		}
		add(
			n.Waiting, test+"order waits in the kitchen. Since "+since,
			test+"orders wait in the kitchen. The oldest since "+since, m.KitchenURL, "Open the kitchen",
		)
		add(
			n.Disputes, test+"payment is disputed. Its bank waits for an answer.",
			test+"payments are disputed. Their banks wait for an answer.", page("disputes"), "See what to do",
		)
		add(
			n.Payments, test+"payment has no outcome yet. Our staff look into it.",
			test+"payments have no outcome yet. Our staff look into them.", list("payments?show=open"), "See them",
		)
		add(
			n.Refunds, test+"refund has no outcome yet. Our staff look into it.",
			test+"refunds have no outcome yet. Our staff look into them.", list("payments?show=refunded"), "See them",
		)
		add(
			n.Declined, test+"refund was declined in the last three days. The payer has not got the money.",
			test+"refunds were declined in the last three days. The payers have not got the money.", list("payments"), "See the payments",
		)
	}
	if m.Day.NoWallet && m.Frame.Live {
		say(
			"Guests cannot pay with Apple Pay or Google Pay yet. Our staff are connecting the account.",
			m.Frame.At("live"), "See what is missing",
		)
	}
	return list
}

// unwatched reports whether orders wait, or cannot be made, for want of a kitchen screen.
func (m Today) unwatched() bool {
	waits := func(n books.Needs) bool { return n.Waiting > 0 }
	return m.Day.Paused || !m.Day.Watched && slices.ContainsFunc(m.Day.Needs, waits)
}

// figure is a number of the day compared with the same weekday a week before.
type figure struct{ name, now, before string }

// figures lists what was taken and, if there was any, what else happened.
func (m Today) figures(currency string) []figure {
	label := func(minor int64) string { return money.Label(minor, currency) }
	n, b := m.Day.Now.In(currency), m.Day.Before.In(currency)
	than := map[int]string{1: "Up from ", 0: "The same as ", -1: "Down from "}[cmp.Compare(n.Taken, b.Taken)]
	ago := func(n int, text string) string {
		if n == 0 {
			return ""
		}
		return text + " a week before"
	}
	list := []figure{{name: "Taken", now: label(n.Taken)}}
	if b.Taken > 0 {
		list[0].before = than + label(b.Taken) + " by this time on " + m.Day.Before[0].Date.Format("Monday 2 January")
	}
	if n.Orders+b.Orders > 0 {
		list = append(
			list, figure{"Payments", strconv.Itoa(n.Orders), ago(b.Orders, strconv.Itoa(b.Orders))},
			figure{"Average", label(n.Average()), ago(b.Orders, label(b.Average()))},
		)
	}
	if n.Refunds > 0 {
		list = append(list, figure{ui.Count(n.Refunds, "refund"), label(n.Refunded), ago(b.Refunds, label(b.Refunded))})
	}
	return list
}

func (m Today) asOf() string {
	kitchen := ""
	if m.Day.Watched {
		kitchen = " · a kitchen screen is open"
	}
	return "As of " + clock.OfDay(m.Day.At) + "\u00a0" + zoneName(m.Day.At) + kitchen
}

// nothing says that nothing was paid in a currency.
func (m Today) nothing(currency string) string {
	if len(m.Day.Currencies()) > 1 {
		return "No payments in " + currency + " today or on this day last week."
	}
	return "No payments today or on this day last week."
}

// hour is a line of the chart and of the table behind it.
type hour struct {
	from        int
	now, before int64
	open        bool
}

// name returns the hour in words: "9 am".
func (h hour) name() string {
	return time.Date(2000, 1, 1, h.from, 0, 0, 0, time.UTC).Format("3\u00a0pm")
}

// always reports whether the business has no opening hours.
func (m Today) always() bool { return len(m.Hours.Week)+len(m.Hours.Dates) == 0 }

// open reports whether the business is open for a part of the nth hour of today.
func (m Today) open(nth int) bool {
	y, month, d := shop.DateOf(m.Day.At).Date()
	from := time.Date(y, month, d, shop.DayTurns+nth, 0, 0, 0, m.Day.At.Location())
	next, ok := m.Hours.Next(from)
	return !m.always() && ok && next.Before(from.Add(time.Hour))
}

// hours returns the hours from the first to the last with a payment, of today or of the day before, and the opening hours; at least twelve
// if there were any payments.
func (m Today) hours(currency string) (list []hour) {
	now, before := m.Day.Now.In(currency).Hours, m.Day.Whole.In(currency).Hours
	if now == before && now == [24]int64{} {
		return nil
	}
	first, last := 24, -1
	for nth := range 24 {
		if from := (shop.DayTurns + nth) % 24; now[from] > 0 || before[from] > 0 || m.open(nth) {
			first, last = min(first, nth), nth
		}
	}
	for last-first < 11 {
		first, last = max(first-1, 0), min(last+1, 23)
	}
	for nth := first; nth <= last; nth++ {
		from := (shop.DayTurns + nth) % 24
		list = append(list, hour{from, now[from], before[from], m.open(nth)})
	}
	return list
}

// weekBefore names the day that today is compared with; "" if nothing was taken on it.
func (m Today) weekBefore(currency string) string {
	if m.Day.Whole.In(currency).Taken == 0 {
		return ""
	}
	return "A week before"
}

// The chart, in its own units.
const (
	barRoom   = 38
	chartHigh = 120
)

// bar is a bar of the chart.
type bar struct{ x, y, width, height string }

// barOf returns the bar for an amount in the nth hour; offset and width are within the hour's room.
func barOf(n int, minor, most int64, offset, width int) bar {
	height := int64(0)
	if most > 0 {
		height = minor * chartHigh / most
	}
	if minor > 0 {
		height = max(height, 2)
	}
	return bar{
		strconv.Itoa(n*barRoom + offset), strconv.FormatInt(chartHigh-height, 10), strconv.Itoa(width), strconv.FormatInt(height, 10),
	}
}

func most(hours []hour) int64 { return hours[highest(hours)].most() }

// most is the larger amount of an hour.
func (h hour) most() int64 { return max(h.now, h.before) }

// highest returns the hour with the highest bar.
func highest(hours []hour) (nth int) {
	for i, h := range hours {
		if h.most() > hours[nth].most() {
			nth = i
		}
	}
	return nth
}

// chartName describes the chart for people who do not see it.
func (m Today) chartName(currency string) string {
	now, before := m.Day.Now.In(currency).Taken, m.Day.Whole.In(currency).Taken
	return "Taken by hour: " + money.Label(now, currency) + " today, " + money.Label(before, currency) + " on the " +
		"whole of the same day a week before." + m.openText(m.hours(currency)) + " The table below has the figures."
}

// openText says which hours of a chart the business is open in, part of each or all of it.
func (m Today) openText(hours []hour) (text string) {
	for i, h := range hours {
		if h.open && (i == 0 || !hours[i-1].open) {
			text += " Open from " + h.name()
		}
		if h.open && (i == len(hours)-1 || !hours[i+1].open) {
			text += " to " + hour{from: (h.from + 1) % 24}.name() + "."
		}
	}
	return text
}

func viewBox(hours []hour) string {
	return "0 0 " + strconv.Itoa(len(hours)*barRoom) + " " + strconv.Itoa(chartHigh)
}
