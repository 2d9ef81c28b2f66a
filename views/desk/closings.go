package desk

import (
	"encoding/base64"
	"strconv"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

// Closings lists the closings of a business.
type Closings struct {
	Frame layout.Desk
	List  []books.Closing
	Pages Pages
	Test  bool
	May   bool           // the member may close the day
	Day   time.Time      // the day that can be closed now
	Last  *books.Closing // the newest of all, on the first page; nil if there is none
}

// closed reports whether the day is closed.
func (m Closings) closed() bool {
	return m.Last != nil && m.Test != m.Frame.Live && !m.Last.Day.Before(m.Day)
}

func closingURL(frame layout.Desk, c books.Closing) string {
	return frame.At("closings/" + ClosingID(c))
}

// ClosingID names a closing in an address.
func ClosingID(c books.Closing) string {
	if c.Test {
		return "test-" + strconv.Itoa(c.Number)
	}
	return strconv.Itoa(c.Number)
}

// ClosingDay returns the day of a closing in words: "Monday 23 November 2026".
func ClosingDay(day time.Time) string { return day.Format("Monday 2 January 2006") }

// ClosingAt returns a moment of a closing in words.
func ClosingAt(at time.Time) string { return clock.Text(at, at.Location()) }

// otherMode returns the address of the closings in the other mode.
func (m Closings) otherMode() string {
	if m.Test {
		return m.Frame.At("closings")
	}
	return m.Frame.At("closings?mode=test")
}

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

// Closing is the page of a closing.
type Closing struct {
	Frame    layout.Desk
	CheckURL string // where anybody can check its signature
	Closing  books.Closing
	Agrees   bool   // the books still agree with it
	Done     string // "closed" if the day was closed just now, "already" if before
}

// TotalRow is a line of a table of totals, in words.
type TotalRow struct {
	Name                               string
	Payments, Taken, GST               string
	Refunds, Refunded, RefundGST, Left string
	Sum                                bool // of all methods in a currency
}

// TotalRows returns totals in words: for each currency its methods, and below them their sum.
func TotalRows(totals books.Totals) (rows []TotalRow) {
	for _, sum := range totals.Currencies() {
		for _, t := range totals {
			if t.Currency == sum.Currency {
				rows = append(rows, totalRow(t))
			}
		}
		rows = append(rows, totalRow(sum))
	}
	return rows
}

func totalRow(t books.Total) TotalRow {
	label := func(minor int64) string { return money.Label(minor, t.Currency) }
	row := TotalRow{
		Name: methodNames[t.Method], Payments: strconv.Itoa(t.Payments),
		Taken: label(t.Taken), GST: label(t.GST), Refunds: strconv.Itoa(t.Refunds),
		Refunded: label(t.Refunded), RefundGST: label(t.RefundGST), Left: label(t.Net()), Sum: t.Method == "",
	}
	switch {
	case row.Sum:
		row.Name = "All, in " + t.Currency
	case row.Name == "":
		row.Name = string(t.Method)
	}
	return row
}
