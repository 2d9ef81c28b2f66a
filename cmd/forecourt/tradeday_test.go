//go:build long

package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/money"
	"forecourt/internal/upkeep/demo"
)

const disputedNumber = "4000000000002685"

// TestADayOfTradeAgreesWithTheBooks plays a business's day: 300 orders, ten of them declined, 12 refunds on its desk, 2 disputes, the close
// of the day and the payouts. The desk, the closing, the accountant's tables and statement, our books and the gateway's ledger have to
// agree to the cent.
func TestADayOfTradeAgreesWithTheBooks(t *testing.T) {
	values := site(t, dbtest.URL(t))
	c := newCustomer(t, startProcess(t, values, "serve").address)
	conn := connect(t, values["DATABASE_URL"])
	// It is about noon in this zone, so the test does not run over midnight.
	dbtest.Exec(t, conn, "UPDATE shop SET time_zone = $1 WHERE code = 'panezski'", noon(time.Now()))
	d := &tradeDay{customer: c, values: values}
	paid := d.sell(300)
	d.signIn(demo.Email, demo.Password, "303")
	for i, id := range paid[:12] {
		d.refund(id, []url.Values{
			{"how": {"whole"}}, {"how": {"amount"}, "amount": {"1.25"}}, {"how": {"lines"}, "qty-1": {"1"}},
		}[i%3])
	}
	taken, back := d.moved("capture"), d.moved("refund")
	if back.count != 12 || taken.count != 290 {
		t.Fatalf("%d charges and %d refunds at the gateway", taken.count, back.count)
	}
	d.shows("/desk/panezski", money.Label(taken.minor, "AUD"), "290", money.Label(back.minor, "AUD")+" (12)")

	d.closesDay(taken, back)
	d.exports(taken, back)

	d.settle()
	d.shows("/desk/panezski/disputes", "To answer")
	d.shows("/desk/panezski", "2 payments are disputed.")
	d.shows("/desk/panezski/payouts", money.Label(taken.minor-back.minor, "AUD")+" less", "Everything that was settled is in a payout.")
	for i, id := range query(t, conn, "SELECT attempt_id::text FROM dispute ORDER BY attempt_id") {
		d.gateway("/sandbox/dispute", fmt.Sprintf(`{"reference":%q,"state":%q}`, id, []string{"won", "lost"}[i]))
	}
	d.settle()
	d.shows("/desk/panezski/disputes", "No open disputes", "The bank decided for you", "The bank decided for the cardholder")
	lost := dbtest.Value[int64](t, conn, "SELECT sum(amount_minor) FROM dispute WHERE state = 'lost'")
	d.shows("/desk/panezski/payouts", "\u2212"+money.Label(lost, "AUD"), "Everything that was settled is in a payout.")
	var gross, held, fees, net int64
	if err := conn.QueryRow(
		t.Context(), "SELECT sum(gross_minor), sum(held_minor), sum(fees_minor), sum(net_minor) FROM payout",
	).Scan(&gross, &held, &fees, &net); err != nil {
		t.Fatal(err)
	}
	if want := taken.minor - back.minor - lost; gross != want || held != want || net != want-fees || fees == 0 {
		t.Errorf("paid out %d, by our books %d; less fees of %d it is %d; want %d", gross, held, fees, net, want)
	}
	if d.table("payouts", "gross").minor != gross || d.table("payouts", "fees").minor != fees || d.table("payouts", "net").minor != net {
		t.Error("the table of payouts has different sums")
	}
	check.Contains(t, d.statement(), "Banks took back "+money.Label(lost, "AUD"), "the statement")
}

// noon returns a time zone in which it is about noon.
func noon(now time.Time) string { return fmt.Sprintf("Etc/GMT%+d", now.UTC().Hour()-12) }

// tradeDay is a day of a business.
type tradeDay struct {
	*customer
	values map[string]string
}

// sell makes orders and pays them. One in thirty is paid with a card that is declined, and two in all with one that is disputed. It
// returns the others.
func (d *tradeDay) sell(orders int) (paid []string) {
	d.t.Helper()
	for i := range orders {
		id, number := d.order("panezski"), approves
		switch {
		case i%30 == 29:
			number = declinedNumber
		case i == 100 || i == 200:
			number = disputedNumber
		}
		d.json(id, "panezski", "200", "pan", number)
		if number == approves {
			paid = append(paid, id)
		}
	}
	return paid
}

// refund refunds a payment in the two steps of the page: it asks what the refund would do, then sends the form that the answer shows.
func (d *tradeDay) refund(id string, how url.Values) {
	d.t.Helper()
	page := "/desk/panezski/payments/" + id + "/refund"
	how.Set("do", "preview")
	how.Set("reason", "cold")
	preview := d.send(http.MethodPost, page, formType, how.Encode(), "200")
	how.Set("do", "refund")
	for _, name := range []string{"key", "seen", "minor"} {
		_, rest, _ := strings.Cut(preview, `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		how.Set(name, value)
	}
	d.send(http.MethodPost, page, formType, how.Encode(), "303")
}

// sum is the number of movements and their total in minor units.
type sum struct {
	count int
	minor int64
}

// moved adds up a kind of movement in the gateway's ledger.
func (d *tradeDay) moved(kind string) (s sum) {
	d.t.Helper()
	for _, m := range ledger(d.t, d.values["GATEWAY_URL"]) {
		if m.Kind == kind {
			minor, err := money.Parse(m.Amount)
			check.Must(d.t, err)
			s.count, s.minor = s.count+1, s.minor+minor
		}
	}
	return s
}

// settle lets the gateway pay out, imports its ledger and compares it with our books.
func (d *tradeDay) settle() {
	d.t.Helper()
	d.gateway("/sandbox/payout", "")
	shell{d.t, d.values}.says(0, "0 differences", "reconcile")
}

// gateway makes the sandbox do something that only a gateway decides.
func (d *tradeDay) gateway(path, body string) {
	d.t.Helper()
	c := newCustomer(d.t, d.values["GATEWAY_URL"])
	c.bearer = "key"
	c.send(http.MethodPost, path, "application/json", body, "200 201 202 204")
}

// shows fails the test unless a page has these texts.
func (d *tradeDay) shows(path string, texts ...string) {
	d.t.Helper()
	page := d.send(http.MethodGet, path, "", "", "200")
	for _, text := range texts {
		check.Contains(d.t, page, text, "%s", path)
	}
}
