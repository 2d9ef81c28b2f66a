package desk_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// readLedger imports the disputes and payouts of the gateway's ledger.
func readLedger(t *testing.T, app *apptest.App) {
	t.Helper()
	check.Must(t, app.Settlement.ReadLately(t.Context()))
}

func TestAPayoutListsItsPayments(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/panezski").Follow("Payouts").Has("No payouts yet", "There is no news of payouts yet").HasNot("See what is owed")
	app.Visit(t, "/desk/panezski/payouts/owed").Has("Not known yet")

	first, second := sale(t, app, "4111111111111111", ""), sale(t, app, "5555555555554444", "")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: first, Amount: 100, By: "test"})
	check.Must(t, err)
	readLedger(t, app)
	app.Visit(t, "/desk/panezski/payouts").Has("Owed to you", "$21.00", "No payouts yet").Follow("See what is owed").
		Has("Payments (2)", "$22.00", "Refunds (1)", "−$1.00", "Total, before fees", "$21.00", "Oldest first")
	app.Acquirer(t, "/sandbox/payout", nil)
	late := sale(t, app, "4111111111111111", "")
	readLedger(t, app)

	// The fee is 1.5 % of each $11.00, 16.5 cents, rounded half up.
	v := app.Visit(t, "/desk/panezski/payouts")
	v.Has("$20.66", "$21.00 less $0.34 fees", "Paid out", "$11.00", "Before fees, from payments since")
	v.Follow("See what is owed").Has("Payments (1)", "$11.00").HasNot("Refunds")
	payout := regexp.MustCompile(`/desk/panezski/payouts/\d+`).FindString(app.Get(t, "/desk/panezski/payouts").Body)
	v = app.Visit(t, payout)
	v.Has("$20.66", "Payments (2)", "$22.00", "Refunds (1)", "−$1.00", "Together", "$21.00", "Fees", "−$0.34", "Paid to your account",
		"Visa ending in 1111", "Mastercard ending in 4444").HasNot("Not known here")
	for _, id := range []string{first, second} {
		check.Contains(t, app.Get(t, payout).Body, "/desk/panezski/payments/"+id, "the payout does not link to %s", id)
		check.Contains(t, app.Get(t, "/desk/panezski/payments/"+id).Body, payout, "%s does not link to its payout", id)
	}
	app.Visit(t, "/desk/panezski/payments/"+first).Has("Payout of ", "The refund of $1.00 was taken from a payout")
	app.Visit(t, "/desk/panezski/payments/"+late).HasNot("Payout of ")

	// The demo's admin runs both businesses; a payout belongs to one.
	app.Visit(t, "/desk/moollar/payouts").Has("No payouts yet", "Everything that was settled is in a payout.")
	app.Get(t, strings.Replace(payout, "panezski", "moollar", 1)).Want(t, http.StatusNotFound, "another business shows the payout")
	for _, id := range []string{"x", "!", "cDE"} {
		check.Equal(t, app.Get(t, "/desk/panezski/payouts/"+id).Status, http.StatusNotFound, "payout %q", id)
	}
}

func TestAPayoutInDoubtSaysSo(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	sale(t, app, "4111111111111111", "")
	dbtest.Exec(t, app.Pool, `INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at) VALUES ('p/1', 'panezski', 'AUD', true, 1500, 0, 1500, now());
		INSERT INTO payout_line (payout, line_no, reference) SELECT number, n, r FROM payout, (SELECT 1, id::text FROM attempt UNION ALL SELECT 2, 'no id at all') l (n, r);
		SELECT payout_place(number) FROM payout`)
	v := app.Visit(t, "/desk/panezski/payouts")
	v.Has("$15.00", "Being checked", "No fees").HasNot("Paid out")
	app.Visit(t, "/desk/panezski/payouts/"+dbtest.Value[string](t, app.Pool, "SELECT number::text FROM payout")).
		Has("This payout differs from our books.", "Payments (1)", "Not known here (1)", "Together", "$15.00")
}

// Amounts in different currencies are not added up.
func TestCurrenciesAreNotAddedUp(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	past(t, app, 3)
	dbtest.Exec(t, app.Pool, `UPDATE attempt SET state = 'approved', transactionid = 'g-' || transaction_id, settled_at = now() - interval '1 day';
		INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, kind, status)
			SELECT 'yen-' || lpad(n::text, 20, '0'), 'panezski', 700, 'NZD', 'JP', true, 'link', 'processing' FROM generate_series(1, 2) n;
		INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, transactionid, settled_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', 'approved', now(), id, now() FROM transaction WHERE currency = 'NZD';
		INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid)
			SELECT gen_random_uuid(), max(id), 'panezski', 200, 'NZD', true, 'ann', now(), 'done', now(), 'r1' FROM transaction WHERE currency = 'NZD';
		INSERT INTO ledger_mark (kind, until_at) VALUES ('owed', now() - interval '2 days')`)
	app.Visit(t, "/desk/panezski/payouts").Has("$3.00", "12.00 NZD").HasNot("$15.00").Follow("See what is owed").
		Has("Payments (3)", "Total, before fees", "$3.00", "Payments (2)", "14.00 NZD", "Refunds (1)", "−2.00 NZD", "12.00 NZD").HasNot("$15.00", "Payments (5)")

	dbtest.Exec(t, app.Pool, "SELECT bank_holds(id, id, 500, 'GBP', now()) FROM attempt WHERE currency = 'AUD' LIMIT 1")
	app.Visit(t, "/desk/panezski/payouts").Has("Owed to you", "$3.00", "You owe 5.00 GBP")
	dbtest.Exec(t, app.Pool, "DELETE FROM movement WHERE amount_minor > 0")
	app.Visit(t, "/desk/panezski/payouts").Has("You owe", "5.00 GBP", "2.00 NZD").HasNot("Owed to you",
		"−").Follow("See what you owe").Has("You owe")
}

// Paging reaches the end of both lists and shows no row twice.
func TestPayoutsAndAmountsOwedComePageByPage(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	past(t, app, 120)
	dbtest.Exec(t, app.Pool, `UPDATE attempt SET state = 'approved', transactionid = 'g-' || transaction_id, settled_at = now() - interval '1 day';
		INSERT INTO ledger_mark (kind, until_at) VALUES ('owed', now() - interval '2 days');
		INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, held_minor, paid_at)
			SELECT 'p' || n, 'panezski', 'AUD', true, n, 0, n, n, now() - n / 10 * interval '1 day' FROM generate_series(1, 60) n`)
	for _, list := range []struct {
		path, next string
		link       *regexp.Regexp
		pages, all int
	}{
		{"/desk/panezski/payouts", "Older", regexp.MustCompile(`/desk/panezski/payouts/(\d+|owed)`), 3, 61}, // the list of amounts owed
		{"/desk/panezski/payouts/owed", "Newer", listed, 3, 120},
	} {
		seen, v := map[string]bool{}, app.Visit(t, list.path)
		for page := 1; ; page++ {
			for _, found := range list.link.FindAllString(app.Get(t, v.Path).Body, -1) {
				if seen[found] && !strings.HasSuffix(found, "/owed") {
					t.Errorf("%s is listed twice", found)
				}
				seen[found] = true
			}
			if page == list.pages {
				break
			}
			v = v.Follow(list.next)
		}
		check.Equal(t, len(seen), list.all, "%s lists", list.path)
		v.HasNot(list.next)
	}
	app.Visit(t, "/desk/panezski/payouts/owed").Has("Payments (120)", "$120.00")
}

func TestADisputeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/panezski").Follow("Disputes").Has("No open disputes")
	id := sale(t, app, "4000000000002685", "")
	readLedger(t, app)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT attempt_id::text FROM dispute")
	dbtest.Exec(t, app.Pool, "UPDATE dispute SET due_at = '2044-01-05T13:30:00Z'")
	app.Visit(t, "/desk/panezski").Has("1 payment is disputed").Follow("See what to do").Has("To answer", "$11.00", "Open")
	v := app.Visit(t, "/desk/panezski/disputes/"+attempt)
	// In Melbourne it is already the next day.
	v.Has("Answer by 6 January 2044, 12:30 am AEDT.", "asked their bank to reverse this payment", "are not told the reason",
		"What to do now", "Do not refund the payment", "Collect evidence for the payment", "support@forecourt.test", id)
	if got := app.Get(t, v.Path).Body; !strings.Contains(got, "/desk/panezski/payments/"+id) || !strings.Contains(got, "mailto:support@forecourt.test?subject="+url.PathEscape("Dispute about payment "+id)) {
		t.Error("the page does not link to both the payment and support")
	}
	app.Visit(t, "/desk/panezski/payments/"+id).Follow("See the dispute").Has("What to do now")
	dbtest.Exec(t, app.Pool, "UPDATE dispute SET due_at = '2026-01-05T13:30:00Z'")
	app.Visit(t, "/desk/panezski/disputes").Has("The deadline was 6 January 2026, 12:30 am AEDT.")

	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": attempt, "state": "won"})
	readLedger(t, app)
	app.Visit(t, "/desk/panezski/disputes").Has("No open disputes", "Won and lost", "The bank decided for you on", "Won").HasNot("To answer")
	app.Visit(t, "/desk/panezski/disputes/"+attempt).Has("The money is yours.").HasNot("What to do now", "Answer by")
	app.Get(t, "/desk/moollar/disputes/"+attempt).Want(t, http.StatusNotFound, "another business shows the dispute")
	app.Visit(t, "/desk/moollar/disputes").Has("No open disputes").HasNot("Won and lost")
}

// A gateway whose clock is slow may date a dispute before its payment.
func TestADisputeComesAfterItsPayment(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := sale(t, app, "4000000000002685", "")
	readLedger(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE dispute SET opened_at = (SELECT min(created_at) FROM attempt) - interval '1 second'")
	dbtest.Exec(t, app.Pool, "UPDATE shop_event SET happened_at = (SELECT opened_at FROM dispute) WHERE kind = 'dispute.opened'")
	text := app.Visit(t, "/desk/panezski/payments/"+id).Text()
	if paid, disputed := strings.Index(text, "The bank approved"), strings.Index(text,
		"holder disputed"); disputed < 0 || paid < disputed { // newest first
		t.Errorf("paid at %d, disputed at %d:\n%s", paid, disputed, text)
	}
}
