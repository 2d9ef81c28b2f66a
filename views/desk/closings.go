package desk

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/ui"
)

// Closings lists the closings of a business.
type Closings struct {
	Frame ui.Desk
	List  []books.Closing
	Pages Pages
	Test  bool
	May   bool      // the member may close the day
	Day   time.Time // the day that can be closed now
}

// last returns the newest closing of all, on the first page; nil if there is none.
func (m Closings) last() *books.Closing {
	if len(m.List) == 0 || m.Pages.Further {
		return nil
	}
	return &m.List[0]
}

// closed reports whether the day is closed.
func (m Closings) closed() bool {
	last := m.last()
	return last != nil && !last.Day.Time.Before(m.Day)
}

func closingURL(frame ui.Desk, c books.Closing) string {
	return frame.At("closings/" + ClosingID(c))
}

// ClosingID names a closing in an address.
func ClosingID(c books.Closing) string {
	if c.TestMode {
		return "test-" + strconv.Itoa(int(c.No))
	}
	return strconv.Itoa(int(c.No))
}

// ClosingDay returns the day of a closing in words: "Monday 23 November 2026".
func ClosingDay(c books.Closing) string { return inWords(c.Day.Time) }

func inWords(day time.Time) string { return day.Format("Monday 2 January 2006") }

// closedSums returns the net takings in each currency.
func closedSums(c books.Closing) string {
	text := ""
	for _, t := range c.Totals.Currencies() {
		if text != "" {
			text += ", "
		}
		text += money.Label(t.Net(), t.Currency)
	}
	if text == "" {
		return "Nothing moved"
	}
	return text
}

// SignatureText is the signature of a closing, as its file has it.
func SignatureText(c books.Closing) string { return base64.RawURLEncoding.EncodeToString(c.Signature) }

// beforeClosing says what a closing comes to, and that it is final.
func beforeClosing(c books.Closing) string {
	const once = "You can close a day only once."
	if len(c.Totals) == 0 {
		return once
	}
	payments := 0
	for _, t := range c.Totals {
		payments += t.Payments
	}
	return closedSums(c) + " net from " + ui.Count(payments, "payment") + ". " + once
}

// CashField asks what somebody counted in the till.
func CashField(currency, given, problem string) ui.Field {
	return ui.Field{
		ID: "cash", Name: "cash", Label: "Counted cash in " + currency + " (optional)",
		Hint:      "A note for your team, which is not part of what is signed",
		InputMode: "decimal", Autocomplete: "off", Value: given, Problem: problem,
	}
}

// countedCash returns the cash that was counted for a closing; "" if nobody counted it.
func countedCash(c books.Closing) string {
	if c.CashCurrency == "" {
		return ""
	}
	return money.Label(c.CashMinor, c.CashCurrency)
}

// side is one side of a line of totals, payments or refunds: "$12.00 from 2 payments, GST $1.09".
func side(of string, count int, minor, gst int64, currency string) string {
	if count == 0 && minor == 0 {
		return ""
	}
	text := money.Label(minor, currency) + " from " + ui.Count(count, of)
	if gst != 0 {
		text += ", GST " + money.Label(gst, currency)
	}
	return text
}

// TotalRows returns totals for a table: for each currency its methods, and below them their sum.
func TotalRows(totals books.Totals) (rows books.Totals) {
	for _, sum := range totals.Currencies() {
		for _, t := range totals {
			if t.Currency == sum.Currency && t.Method != "" {
				rows = append(rows, t)
			}
		}
		rows = append(rows, sum)
	}
	return rows
}

// Beside returns sentences about the extras in payments, and about what moved beside payments and refunds: disputes and fees.
func Beside(totals books.Totals, extras []books.Extra) (list []string) {
	for _, e := range extras {
		text := extraNames[e.Kind] + ": " + money.Label(e.TakenMinor, e.Currency) + " of what was taken"
		if e.BackMinor > 0 {
			text += ", " + money.Label(e.BackMinor, e.Currency) + " of what was refunded"
		}
		list = append(list, text+".")
	}
	for _, t := range totals.Currencies() {
		if t.Lost > 0 {
			list = append(list, "Banks took back "+money.Label(t.BankTook, t.Currency)+" in disputes ("+strconv.Itoa(t.Lost)+").")
		}
		if t.Won > 0 {
			list = append(list, "Banks returned "+money.Label(t.BankGave, t.Currency)+" of disputes ("+strconv.Itoa(t.Won)+").")
		}
		if t.Fees != 0 {
			list = append(list, "Fees of payouts: "+money.Label(t.Fees, t.Currency)+".")
		}
	}
	return list
}

var extraNames = map[state.LineKind]string{state.LineSurcharge: "Surcharges", state.LineTip: "Tips"}

// TotalName names a line of totals: a method, or all of them.
func TotalName(t books.Total) string {
	if t.Method == "" {
		return "All, in " + t.Currency
	}
	return cmp.Or(methodNames[t.Method], string(t.Method))
}

// TotalCells are the cells of a line of totals after its name.
func TotalCells(t books.Total) []string {
	label := func(minor int64) string { return money.Label(minor, t.Currency) }
	return []string{
		strconv.Itoa(t.Payments), label(t.Taken), label(t.GST), strconv.Itoa(t.Refunds), label(t.Refunded), label(t.RefundGST), label(t.Net()),
	}
}
