package desk

import (
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

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
