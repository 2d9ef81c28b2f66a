//go:build long

package main

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
)

// closesDay closes the day on the desk, checks the file as any stranger can, and compares it with what the gateway moved.
func (d *tradeDay) closesDay(taken, back sum) {
	d.t.Helper()
	const list = "/desk/panezski/closings"
	d.shows(list, "No day is closed yet", "Close the day")
	d.send(http.MethodPost, list, formType, "", "303")
	if d.location != list+"/test-1?done=closed" {
		d.t.Fatalf("closing the day leads to %s", d.location)
	}
	left := money.Label(taken.minor-back.minor, "AUD")
	d.shows(
		d.location, "The day is closed.", "Counted again just now: they say the same",
		money.Label(taken.minor, "AUD"), money.Label(back.minor, "AUD"), left,
	)
	d.send(http.MethodPost, list, formType, "", "303")
	if d.location != list+"/test-1?done=already" {
		d.t.Errorf("closing it again leads to %s", d.location)
	}
	d.shows(list, left)

	file := d.send(http.MethodGet, list+"/test-1/closing.json", "", "", "200")
	c, err := books.ReadClosingFile([]byte(file))
	check.Must(d.t, err)
	sums := c.Totals.Currencies()
	if len(sums) != 1 || sums[0].Payments != taken.count || sums[0].Taken != taken.minor ||
		sums[0].Refunds != back.count || sums[0].Refunded != back.minor {
		d.t.Errorf("the closing says %+v; the gateway took %+v and gave back %+v", sums, taken, back)
	}
	stranger := newCustomer(d.t, d.site)
	for text, want := range map[string]string{
		file: "This end of day is genuine",
		strings.Replace(file, money.Wire(taken.minor), money.Wire(taken.minor-1), 1): "Do not trust this end of day",
	} {
		page := stranger.send(http.MethodPost, "/receipt/verify", formType, url.Values{"text": {text}}.Encode(), "200")
		check.Contains(d.t, page, want, "the check of the closing")
	}
	check.Contains(d.t, check.PDFText(d.t, d.send(http.MethodGet, list+"/test-1/closing.pdf", "", "", "200")), left, "the closing on paper")
}

// exports compares the tables, the statement of the month and reconcile with what the gateway moved.
func (d *tradeDay) exports(taken, back sum) {
	d.t.Helper()
	for kind, want := range map[string]sum{"payments amount": taken, "lines total": taken, "refunds amount": back} {
		kind, column, _ := strings.Cut(kind, " ")
		if got := d.table(kind, column); got != want {
			d.t.Errorf("the table of %s has %+v, the gateway %+v", kind, got, want)
		}
	}
	page := d.statement()
	for _, want := range []int64{taken.minor, back.minor, taken.minor - back.minor} {
		check.Contains(d.t, page, money.Label(want, "AUD"), "the statement")
	}
	shell{d.t, d.values}.says(0, fmt.Sprintf(
		"panezski AUD test: %s captured, %s refunded, %s in all", money.Format(taken.minor),
		money.Format(back.minor), money.Format(taken.minor-back.minor),
	), "reconcile")
}

// table downloads a table of every day and adds up a column.
func (d *tradeDay) table(kind, column string) (s sum) {
	d.t.Helper()
	form := url.Values{"do": {"table"}, "kind": {kind}, "from": {"2020-01-01"}, "to": {"2099-12-31"}}
	text := d.send(http.MethodPost, "/desk/panezski/exports", formType, form.Encode(), "200")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	check.Must(d.t, err)
	for _, row := range rows[1:] {
		for i, name := range rows[0] {
			if name != column {
				continue
			}
			minor, err := money.ParseTotal(row[i])
			check.Must(d.t, err)
			s.count, s.minor = s.count+1, s.minor+minor
		}
	}
	return s
}

// statement returns the text of this month's statement.
func (d *tradeDay) statement() string {
	d.t.Helper()
	zone, err := time.LoadLocation(noon(time.Now()))
	check.Must(d.t, err)
	form := url.Values{"do": {"statement"}, "month": {time.Now().In(zone).Format("2006-01")}}
	return check.PDFText(d.t, d.send(http.MethodPost, "/desk/panezski/exports", formType, form.Encode(), "200"))
}
