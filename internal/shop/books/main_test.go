package books_test

import (
	"context"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// bakery returns the demo's bakery and its owner.
func bakery(t *testing.T, app *apptest.App) (shop.Shop, shop.Person) {
	t.Helper()
	owner := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", demo.Email)
	one, _, err := app.Shops.Enter(t.Context(), "panezski", owner)
	check.Must(t, err)
	return one, shop.Person{ID: owner, Email: demo.Email, Proof: account.OperatorProof()}
}

// pay makes and pays an order of $11.00 and returns its transaction.
func pay(t *testing.T, app *apptest.App, pan string) string {
	t.Helper()
	id := app.Order(t)
	c, problems := payment.CardInput{Name: "=Pat", Expiry: "12/39", Number: card.Type(pan), CVC: card.Type("123")}.Check(time.Now())
	check.MustEqual(t, len(problems), 0, "Check, %v", problems)
	_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", c)
	check.Must(t, err)
	return id
}

func refund(t *testing.T, app *apptest.App, trx string, minor int64) {
	t.Helper()
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: minor, By: "test", Again: true, Reason: "-1 crumb"})
	check.Must(t, err)
}

func change(t testing.TB, app *apptest.App, statement string, args ...any) {
	t.Helper()
	dbtest.Exec(t, app.Pool, statement, args...)
}

// past adds payments of $1.00 to the bakery, one second apart from a given time on. Each has a receipt stating that GST is included.
func past(t testing.TB, app *apptest.App, from time.Time, n int) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, kind, status, client_ref, created_at)
			SELECT 'past-' || lpad((extract(epoch FROM $1::timestamptz)::bigint + n)::text, 20, '0'), 'panezski', 100, 'AUD', 'AU', true, 'order', 'processing', '+61 ' || n, $1
			FROM generate_series(1, $2) n`,
		`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, created_at, settled_at)
			SELECT gen_random_uuid(), 'past-' || lpad((extract(epoch FROM $1::timestamptz)::bigint + n)::text, 20, '0'), 'panezski', 100, 'AUD', true, 'card', 'k', 'approved', now(), $1,
				$1 + (n - 1) * interval '1 second' FROM generate_series(1, $2) n`,
		`INSERT INTO receipt (transaction_id, shop_code, token, business, merchant_mail, abn, gst_included, time_zone, descriptor)
			SELECT 'past-' || lpad((extract(epoch FROM $1::timestamptz)::bigint + n)::text, 20, '0'), 'panezski', gen_random_uuid()::text, 'Panezski', '', '51 824 753 556', true, 'Australia/Sydney', 'x'
			FROM generate_series(1, $2) n`,
	} {
		app.Backfill(t, statement, from, n)
	}
}

// table returns the rows of a table of the books, keyed by heading.
func table(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	rest, marked := strings.CutPrefix(text, "\ufeff")
	if !marked {
		t.Error("the table does not begin with a byte order mark")
	}
	all, err := csv.NewReader(strings.NewReader(rest)).ReadAll()
	check.Must(t, err)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// sum adds up a column.
func sum(t *testing.T, rows []map[string]string, column string) (minor int64) {
	t.Helper()
	for _, row := range rows {
		n, err := money.ParseTotal(row[column])
		check.Must(t, err, "%s of %v", column, row)
		minor += n
	}
	return minor
}

// lately returns the span of the bakery's test books that ends now.
func lately(one shop.Shop) books.Span {
	return books.Span{Shop: one.Code, Test: true, Since: time.Now().Add(-time.Hour), Before: time.Now().Add(time.Minute), Zone: one.Zone()}
}

func write(t *testing.T, app *apptest.App, kind books.ExportKind, s books.Span) string {
	t.Helper()
	var b strings.Builder
	check.Must(t, app.Books.Write(context.Background(), kind, s, &b))
	return b.String()
}
