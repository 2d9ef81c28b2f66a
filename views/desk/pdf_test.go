package desk_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/books"
	"forecourt/views/desk"
)

// ledger returns the closing and the statement of a business with payments in two currencies.
func ledger(name string) (books.Closing, books.Statement) {
	zone := clock.Zone("Australia/Sydney")
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, zone)
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	totals := books.Totals{
		{Currency: "AUD", Method: state.Card, Payments: 3, Taken: 123456, GST: 11223, Refunds: 1, Refunded: 1100, RefundGST: 100},
		{Currency: "AUD", Method: state.ApplePay, Payments: 1, Taken: 44},
		{Currency: "NZD", Method: state.Card, Payments: 2, Taken: 2000, GST: 182},
	}
	c := books.Closing{Totals: totals, Closing: db.Closing{
		No: 4, TestMode: true, Day: pgtype.Date{Time: day}, Since: noon.Add(-24 * time.Hour), UntilAt: noon, TimeZone: zone.String(), Business: name,
		Abn: "51 824 753 556", ClosedBy: "owner@example.com", Signature: make([]byte, 64),
	}}
	st := books.Statement{
		Span:  books.Span{Shop: "corner", Test: true, Zone: zone, Since: noon.AddDate(0, 0, -24), Before: noon.AddDate(0, 0, 6)},
		Month: day.AddDate(0, 0, -23), Business: name, ABN: c.Abn, Totals: totals, Days: []books.StatementDay{{Day: day, Totals: totals.Currencies()}}, Made: noon,
		Payouts: []books.StatementPayout{
			{Payout: db.Payout{ID: "po_1", PaidAt: noon, Currency: "AUD", GrossMinor: 123500, FeesMinor: 2100, NetMinor: 121400}, Entries: 5},
			{Payout: db.Payout{ID: "po_2", PaidAt: noon, Currency: "NZD", GrossMinor: 2000, FeesMinor: 60, NetMinor: 1940}, Entries: 2},
		},
	}
	return c, st
}

func TestAnUnreadableNameHasTheCodeBesideIt(t *testing.T) {
	t.Parallel()
	for name, readable := range map[string]bool{
		"Corner Café": true, "Ταβέρνα Ήλιος": true, "Чебуречная": true, "Phở Việt Nam": true, strings.Repeat("A long name ", 8): true,
		"小笼包": false, "مطعم بيروت": false, "Pizza 🍕": false,
	} {
		c, st := ledger(name)
		closing, err := desk.ClosingPDF(c, "corner", "#3355cc", "https://pay.example/receipt/verify")
		check.Must(t, err)
		statement, err := desk.StatementPDF(st, "#3355cc")
		check.Must(t, err)
		for kind, file := range map[string][]byte{"closing": closing, "statement": statement} {
			text := check.PDFText(t, string(file))
			if got := strings.Contains(text, "Code corner."); got == readable {
				t.Errorf("the %s of %q shows the code: %v\n%s", kind, name, got, text)
			}
			if !readable {
				check.Contains(t, text, "□\n", "the %s of %q", kind, name)
				check.Contains(t, text, "corner  ·  ", "the %s of %q", kind, name)
			} else if first, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(name, first) {
				t.Errorf("the %s of %q begins with %q", kind, name, first)
			}
		}
	}
}

func TestAStatementSaysWhenPayoutsAreMissing(t *testing.T) {
	t.Parallel()
	_, st := ledger("Corner")
	for _, more := range []bool{false, true} {
		st.MorePayouts = more
		file, err := desk.StatementPDF(st, "")
		check.Must(t, err)
		text := strings.Join(strings.Fields(check.PDFText(t, string(file))), " ")
		check.Equal(t, strings.Contains(text, "more payouts in this month than fit here"), more, "more:\n%s", text)
	}
}

func TestAnAmountIsNeverCut(t *testing.T) {
	t.Parallel()
	_, st := ledger("Corner")
	st.Payouts = []books.StatementPayout{{Payout: db.Payout{ID: "po_1", Currency: "GBP", GrossMinor: 123456789012, FeesMinor: 12345678901, NetMinor: -111111110111}}}
	file, err := desk.StatementPDF(st, "")
	check.Must(t, err)
	text := check.PDFText(t, string(file))
	for _, amount := range []string{"1,234,567,890.12 GBP", "123,456,789.01 GBP", "−1,111,111,101.11 GBP"} {
		check.Contains(t, text, amount, "text")
	}
}

func TestEachCurrencyIsSummedSeparately(t *testing.T) {
	t.Parallel()
	c, st := ledger("Corner")
	closing, err := desk.ClosingPDF(c, "corner", "", "https://pay.example/receipt/verify")
	check.Must(t, err)
	statement, err := desk.StatementPDF(st, "")
	check.Must(t, err)
	for kind, file := range map[string][]byte{"closing": closing, "statement": statement} {
		text := check.PDFText(t, string(file))
		for _, want := range []string{"All, in AUD\n", "All, in NZD\n", "$1,235.00\n", "20.00 NZD\n", "$1,224.00\n"} {
			check.Contains(t, text, want, "the %s does not say", kind)
		}
		check.Lacks(t, text, "1,255.00", "the %s adds up dollars of two countries", kind)
	}
}
