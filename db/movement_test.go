package db_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// oldBooks are those of a version without the table of movements: a payment of $5.50 that was refunded in eleven parts, of which a closing has
// five, and one of them was recorded after it; a payment whose dispute was lost; and a payout of both.
const oldBooks = `
INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, kind, status)
	SELECT 'old-payment-' || n || '-123456789', 'panezski', n * 550, 'AUD', 'AU', true, 'order', 'processing' FROM generate_series(1, 2) n;
INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, created_at, settled_at)
	SELECT md5(id)::uuid, id, shop_code, amount_minor, currency, test_mode, 'card', 'k', 'approved', now(), now() - interval '9 days', now() - interval '9 days'
	FROM transaction WHERE id LIKE 'old-%';
UPDATE transaction SET approved_attempt = md5(id)::uuid, paid_at = now(), status = 'success', refunded_minor = 2200 - amount_minor * 3 WHERE id LIKE 'old-%1-%';
INSERT INTO receipt (transaction_id, shop_code, token, business, merchant_mail, abn, gst_included, time_zone, descriptor)
	SELECT id, shop_code, md5(id), 'Panezski', '', '51 824 753 556', true, 'Australia/Sydney', 'x' FROM transaction WHERE id LIKE 'old-%';
INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid)
	SELECT md5('refund ' || n)::uuid, id, shop_code, 50, currency, test_mode, 'ann', now(), 'done', now() - interval '3 days' + n * interval '9 hours', 'r' || n
	FROM transaction, generate_series(1, 11) n WHERE id LIKE 'old-%1-%';
INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by)
	SELECT 'panezski', true, n, current_date - 2 + n, now() - interval '31 days' * (2 - n) - interval '1 day' * (n - 1), now() - interval '1 day' * (2 - n), 'UTC', 'x', '', 'null', 'x', 'x'
	FROM generate_series(1, 2) n;
INSERT INTO closing_entry (kind, id, shop_code, test_mode, no)
	SELECT 'refund', md5('refund ' || n)::uuid, 'panezski', true, 1 FROM generate_series(3, 4) n;
INSERT INTO closing_entry (kind, id, shop_code, test_mode, no)
	SELECT 'refund', md5('refund ' || n)::uuid, 'panezski', true, 2 FROM generate_series(5, 7) n;
INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at, ended_at)
	SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'lost', now() - interval '8 days', now() - interval '7 days' FROM attempt WHERE amount_minor = 1100;
INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, held_minor, paid_at)
	VALUES ('p1', 'panezski', 'AUD', true, 550, 30, 520, 550, now() - interval '5 days');
INSERT INTO payout_line (payout_id, line_no, reference, kind)
	SELECT 'p1', row_number() OVER (), l.reference, l.kind FROM (
		SELECT id::text, 'capture' FROM attempt UNION ALL SELECT attempt_id::text, 'dispute' FROM dispute) l (reference, kind);
INSERT INTO ledger_read (kind, until_at) VALUES ('payout sandbox', now())`

func TestTheBooksSurviveAnUpgrade(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	config := pool.Config().ConnConfig
	conn := stdlib.OpenDB(*config)
	defer conn.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, os.DirFS("migrations"))
	check.Must(t, err)
	_, err = provider.DownTo(t.Context(), 227)
	check.Must(t, err)
	dbtest.Exec(t, pool, "DELETE FROM attempt")
	dbtest.Exec(t, pool, oldBooks)
	upgraded := func(what, query, want string) {
		t.Helper()
		check.Equal(t, dbtest.Value[string](t, pool, query), want, "%s", what)
	}
	for range 2 { // and an upgrade after a downgrade
		_, err = provider.Up(t.Context())
		check.Must(t, err)
		upgraded("closings", `SELECT string_agg(n || ': ' || sums, ', ' ORDER BY n) FROM (
			SELECT c.no AS n, count(*) FILTER (WHERE m.kind = 'capture') || ' paid, ' || count(*) FILTER (WHERE m.kind = 'refund') || ' refunded ' || -sum(m.gst_minor) FILTER (WHERE m.kind = 'refund') AS sums
			FROM closing c JOIN movement m ON m.booked_at >= c.since AND m.booked_at < c.until_at GROUP BY c.no) s`, "1: 2 paid, 4 refunded 20, 2: 0 paid, 3 refunded 15")
		upgraded("tax of the refunds", "SELECT sum(gst_minor)::text FROM movement WHERE kind = 'refund'", "-50")
		upgraded("the position",
			"SELECT concat_ws(' ', captured_minor, refunded_minor, kept_minor, gst_minor, paid_out_minor) FROM position WHERE transaction_id LIKE 'old-%1-%'",
			"550 550 0 0 550")
		upgraded("the dispute",
			"SELECT concat_ws(' ', captured_minor, lost_minor, kept_minor, paid_out_minor) FROM position WHERE transaction_id LIKE 'old-%2-%'",
			"1100 1100 0 0")
		upgraded("the payout",
			"SELECT concat_ws(' ', held_minor, (SELECT count(*) FROM payout_in_doubt), (SELECT sum(fee_minor) FROM movement), (SELECT amount_minor FROM movement WHERE kind = 'fee')) FROM payout",
			"550 0 30 -30")
		upgraded("owed", "SELECT sum(amount_minor)::text FROM owed", "-550")
		_, err = provider.DownTo(t.Context(), 227)
		check.Must(t, err)
	}
}

// A busy day's payout is placed within the time that a statement has.
func TestAPayoutOfThousandsOfChargesIsPlaced(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	dbtest.Exec(t, pool, `INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency,
		amount_minor, method, moved_at, booked_at)
		SELECT 'capture', md5(n::text)::uuid, md5(n::text)::uuid, 'of-' || n, 'panezski', true, 'AUD', 100, 'card', now(), now()
			FROM generate_series(1, 3000) n;
	INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
		VALUES ('large', 'panezski', 'AUD', true, 300000, 0, 300000, now());
	INSERT INTO payout_line (payout, line_no, reference) SELECT number, n, md5(n::text)::uuid FROM payout, generate_series(1, 3000) n`)
	dbtest.Exec(t, pool, "SET statement_timeout = '15s'; SELECT payout_place(number) FROM payout")
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(*) FROM movement WHERE payout IS NOT NULL"), 3000, "charges paid out")
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT held_minor FROM payout"), 300_000, "their sum")
}

func TestGSTIsAnEleventhToTheNearestCent(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for amount, want := range map[int64]int64{1: 0, 5: 0, 6: 1, 11: 1, 16: 1, 17: 2, 1100: 100, 1250: 114, 99_999_999: 9_090_909} {
		check.Equal(t, dbtest.Value[int64](t, pool, "SELECT gst_in($1)", amount), want, "the GST in %d", amount)
	}
}

// An order of $11.00 with GST, $9.00 without, a surcharge of $2.00 and a tip of $2.50 has GST in $12.10.
const mixedOrder = `
INSERT INTO transaction (id, shop_code, amount_minor, taxed_minor, currency, country_code, test_mode, kind, status)
	VALUES ('mixed-order-1234567890', 'panezski', 2450, 1210, 'AUD', 'AU', true, 'order', 'processing');
INSERT INTO order_line (transaction_id, line_no, shop_code, kind, status, name, price_minor, qty, loc, taxed_minor)
	VALUES ('mixed-order-1234567890', 1, 'panezski', 'item', 'open', 'Croissant', 550, 2, 'Kitchen', 1100),
		('mixed-order-1234567890', 2, 'panezski', 'item', 'open', 'Bread', 900, 1, 'Kitchen', 0),
		('mixed-order-1234567890', 3, 'panezski', 'surcharge', 'extra', 'Sunday surcharge 10%', 200, 1, '', 110),
		('mixed-order-1234567890', 4, 'panezski', 'tip', 'extra', 'Tip', 250, 1, '', 0);
INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, settled_at)
	VALUES (md5('mixed')::uuid, 'mixed-order-1234567890', 'panezski', 2450, 'AUD', true, 'card', 'k', 'approved', now(), now());
UPDATE transaction SET approved_attempt = md5('mixed')::uuid, paid_at = now(), status = 'success' WHERE id = 'mixed-order-1234567890'`

func TestTheTaxOfRefundsIsThatOfTheirLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		refunds [][3]int // the line and how many of it, or an amount
		want    string   // the tax of each
		extras  string   // what was refunded of the surcharge and the tip
	}{
		{"lines one by one", [][3]int{{4, 1}, {2, 1}, {1, 1}, {1, 1}, {3, 1}}, "0 0 -50 -50 -10", "200 250"},
		{"a tip, and the rest at once", [][3]int{{4, 1}, {0, 0, 2200}}, "0 -110", "200 250"},
		{"an amount, and then lines", [][3]int{{0, 0, 1000}, {2, 1}, {0, 0, 550}}, "-45 -26 -39", "200 250"},
		{"the items alone", [][3]int{{1, 2}, {2, 1}}, "-100 0", "0 0"},
		{"all at once", [][3]int{{0, 0, 2450}}, "-110", "200 250"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.Pool(t)
			dbtest.Exec(t, pool, "UPDATE shop SET abn = '51 824 753 556', gst_included = true WHERE code = 'panezski'")
			dbtest.Exec(t, pool, mixedOrder)
			check.Equal(t, dbtest.Value[int64](t, pool, "SELECT gst_minor FROM movement WHERE kind = 'capture' AND transaction_id LIKE 'mixed%'"),
				110, "GST of the payment")
			for n, r := range tt.refunds {
				dbtest.Exec(t, pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state)
					SELECT md5('r' || $1::int)::uuid, id, shop_code, coalesce((SELECT l.price_minor * $3 FROM order_line l WHERE l.transaction_id = id AND l.line_no = $2), $4),
						'AUD', true, 'ann', now(), 'open' FROM transaction WHERE id LIKE 'mixed%'`, n, r[0], r[1], r[2])
				dbtest.Exec(t, pool, `INSERT INTO refund_line (refund_id, transaction_id, line_no, qty)
					SELECT md5('r' || $1::int)::uuid, 'mixed-order-1234567890', $2, $3 WHERE $2 > 0`, n, r[0], r[1])
				dbtest.Exec(t, pool, "UPDATE refund SET state = 'done', refundid = $1, settled_at = now() WHERE state = 'open'", "r"+strconv.Itoa(n))
			}
			got := dbtest.Value[string](t, pool,
				"SELECT string_agg(gst_minor::text, ' ' ORDER BY booked_at) FROM movement WHERE kind = 'refund' AND transaction_id LIKE 'mixed%'")
			check.Equal(t, got, tt.want, "GST of the refunds")
			status := dbtest.Value[string](t, pool, "SELECT status FROM transaction WHERE id LIKE 'mixed%'")
			check.Equal(t, status, "completed", "the order, of which nothing is left to make, is")
			far := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
			extras, err := db.New(pool).MovementExtras(t.Context(), db.MovementExtrasParams{
				ShopCode: "panezski", TestMode: true, BookedSince: time.Now().Add(-time.Hour), BookedBefore: far, MovedBefore: far,
			})
			check.Must(t, err)
			check.MustEqual(t, len(extras), 2, "kinds of extras")
			check.Equal(t, fmt.Sprint(extras[0].TakenMinor, extras[1].TakenMinor), "200 250", "surcharge and tip taken")
			check.Equal(t, fmt.Sprint(extras[0].BackMinor, extras[1].BackMinor), tt.extras, "surcharge and tip refunded")
		})
	}
}
