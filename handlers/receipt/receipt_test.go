package receipt_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestAReceiptIsAPageToKeep(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, path := app.Receipt(t, "ann@example.com")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = '2026-07-01 08:05:00Z' WHERE id = $1", id)
	v := app.Visit(t, "/pos/panezski/"+id).Follow("Receipt")
	check.MustEqual(t, v.Path, path, "the payment page")
	v.Must(t, http.StatusOK, "the payment page")
	v.Has("TEST MODE: no real money moved", "Tax invoice", "Panezski", "ABN 80 000 000 001", "$11.00", "1 July 2026, 6:05 pm AEST",
		"Butter Croissant × 2 $11.00", "Total price includes GST of $1.00.", "Paid with Visa ending in 1111", "Paid by Ann Lee", "Table 4",
		"On your statement LAT*panezski", "Transaction "+id, "Gateway reference", "Bank reference", "Send again to a•••@e•••.com") // RCPT-05 RCPT-06
	v.HasNot("ann@example.com", "41111111", "orders@")
	check.Equal(t, v.Header.Get("Cache-Control"), "no-store", "headers")
	check.Equal(t, v.Header.Get("X-Robots-Tag"), "noindex", "headers")
	// Nothing on the receipt changes.
	dbtest.Exec(t, app.Pool, "UPDATE shop SET name = 'Another', abn = '', time_zone = 'Australia/Perth', gst_included = false, live = true")
	app.Visit(t, path).Has("ABN 80 000 000 001", "6:05 pm AEST", "TEST MODE", "Total price includes GST").HasNot("Another")
}

// People forward pay links, and the receipt names the payer and the card.
func TestOnlyThePayersBrowserSeesTheReceiptsAddress(t *testing.T) {
	t.Parallel()
	for name, pay := range map[string]func(app *apptest.App, id string) apptest.Answer{
		"the card form": func(app *apptest.App, id string) apptest.Answer {
			return app.Post(t, "/pos/panezski/"+id, url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}})
		},
		"the card form with scripts": func(app *apptest.App, id string) apptest.Answer {
			return app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "panezski", "trxId": id, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "11/33", "cvc": "123"})
		},
		"a wallet": func(app *apptest.App, id string) apptest.Answer {
			return app.PostJSON(t, "/api/wallet", map[string]any{"merchantId": "panezski", "transid": id, "wallet": "gpay", "token": "simulated", "type": "CARD", "info": map[string]string{"cardNetwork": "VISA"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := app.Order(t)
			page := "/pos/panezski/" + id
			if got := pay(app, id); got.Status >= http.StatusBadRequest {
				t.Fatalf("paying: %d %s", got.Status, got.Body)
			}
			apptest.Eventually(t, "the page leads to the receipt", func() bool { return strings.Contains(app.Get(t, page).Body, `"/receipt/`) })
			stranger := app.NewPerson(t)
			site, err := url.Parse(app.URL + page)
			check.Must(t, err)
			attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt WHERE transaction_id = $1", id)
			for _, cookie := range []string{"", uuid.Nil.String(), attempt, "x"} {
				stranger.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "forecourt-attempt", Value: cookie, Path: page}})
				if got := stranger.Get(t, page); strings.Contains(got.Body, "/receipt/") || strings.Contains(got.Body, "Ann") {
					t.Errorf("with the cookie %q a stranger sees the receipt's address or the payer's name", cookie)
				}
			}
			stranger.Visit(t, page).Has("Open the receipt in the browser that paid")
			app.Visit(t, page).Follow("Receipt").Has("Tax invoice", id)
		})
	}
}

func TestAFixedDescriptorIsOnTheReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Descriptors: map[string]string{"panezski": "BAKERY panezski"}})
	_, path := app.Receipt(t, "")
	t.Run("a fixed statement name is on the receipt (RCPT-07)", func(t *testing.T) {
		if said := app.Visit(t, path).Text(); !strings.Contains(said, "On your statement BAKERY panezski") || strings.Contains(said, "LAT*") {
			t.Errorf("the receipt says:\n%s", said)
		}
	})
}

func TestWhatAReceiptSaysAboutGST(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change    string
		has, hasn string
	}{
		"a business that is not registered": {"UPDATE shop SET gst_included = false", "No GST was charged.", "Tax invoice"},
		"a business without an ABN":         {"UPDATE shop SET abn = ''", "Receipt", "GST"},
		"a business that sells in pounds":   {"UPDATE shop SET currency = 'GBP'", "11.00 GBP", "Tax invoice"},
		"a business in Perth":               {"UPDATE shop SET time_zone = 'Australia/Perth'", "AWST", "AEDT"},
		"a business in an unknown zone":     {"UPDATE shop SET time_zone = 'Moon/Base'", "UTC", "AEDT"},
		"a description full of tags":        {"UPDATE shop SET name = '<b>Pan</b>'", "<b>Pan</b>", "&lt;"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			dbtest.Exec(t, app.Pool, tt.change)
			_, path := app.Receipt(t, "")
			app.Visit(t, path).Has(tt.has).HasNot(tt.hasn, "Send again")
		})
	}
}

func TestAReceiptMarksWhatHasNoGST(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE item SET gst_free = true WHERE name = 'Cherry Pie'")
	trx := apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "table": "4", "order": []map[string]any{{"name": "Butter Croissant", "qty": 2}, {"name": "Cherry Pie",
			"qty": 1}},
	})).TrxID
	app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	}).Must(t, http.StatusOK, "pay")
	app.Visit(t, "/pos/panezski/"+trx).Follow("Receipt").Has("Butter Croissant × 2 $11.00", "Cherry Pie No GST × 1 $9.00", "GST of $1.00")
}

func TestOnlyItsTokenFindsAReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, path := app.Receipt(t, "ann@example.com")
	last := "A"
	if strings.HasSuffix(path, last) {
		last = "B"
	}
	if token := strings.TrimPrefix(path, "/receipt/"); len(token) < 26 {
		t.Errorf("the token %q has less than 128 bits", token)
	}
	missing := app.Get(t, "/receipt/nosuchtoken")
	for _, wrong := range []string{
		path[:len(path)-1] + last, path[:len(path)-1], path + "A", strings.ToLower(path), "/receipt/" + id, "/receipt/%00", "/receipt/%ff", "/receipt/'", "/receipt/" + strings.Repeat("A", 5000),
	} {
		for _, part := range []string{"", "/code.svg", "/receipt.txt", "/receipt.sig"} {
			answer := app.Get(t, wrong+part)
			answer.Want(t, http.StatusNotFound, wrong+part)
			check.Lacks(t, answer.Body, "11.00", "%s%s", wrong, part)
		}
		check.Equal(t, app.Post(t, wrong+"/resend", url.Values{"role": {"customer"}}).Status, http.StatusNotFound, "POST %.60s", wrong)
	}
	missing.Want(t, http.StatusNotFound, "/receipt/nosuchtoken")
}

func TestAReceiptIsSentAgainOnlyToTheSameAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	_, path := app.Receipt(t, "ann@example.com")
	app.Mails(t, "ann@example.com", 1)
	app.Visit(t, path).Press("Send again to a•••@e•••.com").Has("This is a test payment, so the copy for a•••@e•••.com was not emailed. In test mode only the business's own team receives email.")
	app.Mails(t, "ann@example.com", 2)
	send := func(form url.Values) int { return app.Post(t, path+"/resend", form).Status }
	for name, form := range map[string]url.Values{
		"the business": {"role": {"merchant"}}, "somebody else": {"role": {"typed"}}, "an address": {"role": {"eve@example.com"}},
		"nobody": {}, "another address in the form": {"email": {"eve@example.com"}, "to": {"eve@example.com"}},
	} {
		check.Equal(t, send(form), http.StatusUnprocessableEntity, "to %s", name)
	}
	app.Visit(t, path+"?sent=merchant").HasNot("A copy for", "We are sending")
	for range 2 {
		check.MustEqual(t, send(url.Values{"role": {"customer"}}), http.StatusSeeOther, "send")
	}
	limited := app.Post(t, path+"/resend", url.Values{"role": {"customer"}})
	if limited.Status != http.StatusTooManyRequests || limited.Header.Get("Retry-After") == "" || !strings.Contains(limited.Body, "was sent several times") {
		t.Errorf("%d %v", limited.Status, limited.Header)
	}
	others := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'mail' AND args::text LIKE '%eve@%'")
	if others > 0 {
		t.Errorf("%d letters to other people", others)
	}
	stranger := app.Do(t, http.MethodPost, path+"/resend", strings.NewReader("role=customer"), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"},
	})
	stranger.Want(t, http.StatusForbidden, "another site sends")
}

func TestACopyThatOneLimitRefusesCountsForNoOther(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	_, path := app.Receipt(t, "ann@example.com")
	app.Mails(t, "ann@example.com", 1)
	counts := func(subjects ...string) int {
		t.Helper()
		return dbtest.Value[int](t, app.Pool, "SELECT coalesce(sum(count), 0) FROM throttle WHERE subject = ANY($1)", subjects)
	}
	send := func() int { return app.Post(t, path+"/resend", url.Values{"role": {"customer"}}).Status }
	check.MustEqual(t, send(), http.StatusSeeOther, "send")
	for full, others := range map[string][]string{
		"receipt by address": {"receipt again", "business to address"}, "receipt again": {"receipt by address", "business to address"},
		"business to address": {"receipt by address", "receipt again"},
	} {
		dbtest.Exec(t, app.Pool, "UPDATE throttle SET count = CASE WHEN subject = $1 THEN 99 ELSE 1 END", full)
		check.Equal(t, send(), http.StatusTooManyRequests, "%s is reached", full)
		check.Equal(t, counts(others...), 2, "%s is reached, but the try counts for the other limits", full)
	}
}

func TestAReceiptsSignatureIsChecked(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, path := app.Receipt(t, "ann@example.com")
	text, sum := app.Get(t, path+"/receipt.txt"), app.Get(t, path+"/receipt.sig")
	if !strings.Contains(text.Body, "total: 11.00 AUD\ngst: 1.00 AUD\n") || !strings.Contains(text.Body, "mode: test\n") || len(sum.Body) != 64 {
		t.Errorf("a signature of %d bytes for %q", len(sum.Body), text.Body)
	}
	if key := app.Get(t, "/receipt/key.pem"); key.Status != http.StatusOK || !strings.HasPrefix(key.Body, "-----BEGIN PUBLIC KEY-----\n") {
		t.Errorf("the key is %d %q", key.Status, key.Body)
	}
	if code := app.Get(t, path+"/code.svg"); code.Header.Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(code.Body, "<svg ") {
		t.Errorf("the code is %d %.60s", code.Status, code.Body)
	}
	v := app.Visit(t, path).Follow("Check this receipt")
	v.Has("This receipt is genuine", "Total 11.00 AUD", "GST included 1.00 AUD", "Business Panezski", "Paid with Visa ending in 1111", "Transaction "+id, "no real money moved")
	code := strings.TrimPrefix(v.Path, app.URL+"/receipt/verify?code=")
	text64, _, _ := strings.Cut(code, ".")
	other := app.Get(t, "/receipt/verify?code="+text64+"."+strings.Repeat("A", 86))
	other.Want(t, http.StatusOK, "a wrong signature", "Do not trust this receipt")
	check.Lacks(t, other.Body, "This receipt is genuine", "a wrong signature")
	app.Visit(t, "/receipt/verify").Has("Check a receipt").HasNot("genuine", "There is a problem")
	for _, bad := range []string{"", "x", ".", code[:40], code + "A", "%00.%ff", strings.Repeat("A", 9000), "<script>alert(1)</script>", "AAAA.AAAA"} {
		answer := app.Get(t, "/receipt/verify?code="+url.QueryEscape(bad))
		if answer.Status != http.StatusUnprocessableEntity || strings.Contains(answer.Body, "This receipt is genuine") || strings.Contains(answer.Body, "<script>alert") {
			t.Errorf("%.40q: %d", bad, answer.Status)
		}
	}
}

func TestADemoPaymentHasNoReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.Visit(t, "/pos/panezski/demo?paid=1").Has("Payment successful").HasNot("Receipt") // RCPT-01 never for the demo id
}

func TestAReceiptShowsOnlyCompletedRefunds(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, path := app.Receipt(t, "")
	refund := func(amount int, state string) {
		dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at)
			SELECT gen_random_uuid(), id, shop_code, $2, currency, test_mode, 'test', now() + interval '1 hour', $3, CASE $3 WHEN 'done' THEN now() END FROM transaction WHERE id = $1`, id, amount, state)
		dbtest.Exec(t, app.Pool, "UPDATE transaction SET refunded_minor = refunded_minor + $2 WHERE id = $1", id, amount)
	}
	refund(300, "pending")
	app.Visit(t, path).HasNot("Refunded since")
	dbtest.Exec(t, app.Pool, "UPDATE refund SET state = 'done', settled_at = now()")
	refund(200, "manual")
	app.Visit(t, path).Has("Refunded since $3.00")
}
