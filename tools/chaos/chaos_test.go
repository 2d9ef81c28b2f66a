package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/check"
	"forecourt/ops/embedded"
	"forecourt/tools/drive"
)

// schema holds the columns of the program's tables that a verdict reads, with one payment of 10.00 that was charged, and given back in
// part.
const schema = `
CREATE TABLE attempt (id text, transaction_id text, state text, transactionid text, shop_code text, captured_minor bigint,
	amount_minor bigint, currency char(3), test_mode boolean, gateway text, settled_at timestamptz, created_at timestamptz,
	checks int, payer_email text);
CREATE TABLE transaction (id text, status text, approved_attempt text, transactionid text, captured_minor bigint, amount_minor bigint,
	refunded_minor bigint, differences jsonb DEFAULT '[]');
CREATE TABLE refund (id text, transaction_id text, state text, shop_code text, amount_minor bigint, currency char(3),
	test_mode boolean, gateway text, settled_at timestamptz, created_at timestamptz);
CREATE TABLE dispute (state text, shop_code text, currency char(3), test_mode boolean, amount_minor bigint);
CREATE TABLE payout (shop_code text, currency char(3), test_mode boolean, gross_minor bigint, fees_minor bigint, net_minor bigint);
CREATE TABLE receipt (transaction_id text, merchant_mail text);
CREATE TABLE mail (key text);
CREATE TABLE river_job (kind text, args jsonb);
CREATE TABLE ledger_entry (id text, kind text, reference text, amount_minor bigint, state text DEFAULT '', problem text DEFAULT '',
	withdrawn_at timestamptz);
CREATE TABLE movement (kind text, shop_code text, currency char(3), test_mode boolean, amount_minor bigint, payout bigint,
	booked_at timestamptz);
CREATE TABLE position (transaction_id text, captured_minor bigint, refunded_minor bigint, lost_minor bigint);
CREATE TABLE closing (shop_code text, test_mode boolean, until_at timestamptz, totals jsonb);
INSERT INTO attempt VALUES ('a1', 't1', 'approved', 'g1', 'shop', NULL, 1000, 'AUD', false, 'chaos', now(), now(), 0, 'pat@example.test');
INSERT INTO transaction VALUES ('t1', 'success', 'a1', 'g1', NULL, 1000, 100);
INSERT INTO refund VALUES ('r1', 't1', 'done', 'shop', 100, 'AUD', false, 'chaos', now(), now());
INSERT INTO payout VALUES ('shop', 'AUD', false, 900, 15, 885);
INSERT INTO ledger_entry VALUES ('e1', 'capture', 'a1', 1000), ('e2', 'refund', 'r1', 100), ('e3', 'payout', 'p1', 885);
INSERT INTO movement VALUES ('capture', 'shop', 'AUD', false, 1000, 1, now()), ('refund', 'shop', 'AUD', false, -100, 1, now()),
	('fee', 'shop', 'AUD', false, -15, 1, now());
INSERT INTO position VALUES ('t1', 1000, 100, 0);
INSERT INTO closing VALUES ('shop', false, now() + interval '1 s', '[{"currency": "AUD", "taken": 1000, "givenBack": 100}]');
INSERT INTO receipt VALUES ('t1', 'shop@example.test');
INSERT INTO mail VALUES ('receipt/t1/merchant');
INSERT INTO river_job VALUES ('mail', '{"key": "receipt/t1/customer"}');`

const ledger = `{"entries": [
	{"kind": "capture", "reference": "a1", "trxId": "t1", "transactionid": "g1", "merchantId": "shop", "currency": "AUD",
		"testMode": false, "amount": "10.00", "arrivals": 1},
	{"kind": "refund", "reference": "r1", "trxId": "t1", "transactionid": "g1", "merchantId": "shop", "currency": "AUD",
		"testMode": false, "amount": "1.00", "arrivals": 1},
	{"kind": "payout", "merchantId": "shop", "currency": "AUD", "testMode": false, "gross": "9.00", "fees": "0.15", "net": "8.85"}]}`

func TestWhatBreaksAPromise(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "forecourt-verdict-") //nolint:usetesting // t.TempDir is closed to PostgreSQL
	if err != nil || makeFolder(dir) != nil {
		t.Fatal(err)
	}
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: dir})
	check.Must(t, err)
	t.Cleanup(func() { _, _ = server.Stop(context.Background()), os.RemoveAll(dir) })
	const charge = `{"kind": "capture", "reference": "a1", "trxId": "t1"`
	for _, tt := range []struct{ name, sql, old, changed, told, want string }{
		{"all is well", "", "", "", "paid", ""},
		{
			"charged twice", "", charge, strings.Replace(charge, "a1", "a2", 1) + `, "amount": "10.00", "arrivals": 1}, ` + charge,
			"paid", "double lost sums payouts mirror positions",
		},
		{
			"a decline that was charged", "UPDATE attempt SET state = 'declined'; UPDATE transaction SET approved_attempt = NULL", "", "",
			"not paid", "lost told",
		},
		{"a ghost", "", charge, strings.Replace(charge, "capture", "void", 1), "paid", "ghost sums payouts mirror positions refunds over"},
		{"sent again", "", `"10.00", "arrivals": 1`, `"10.00", "arrivals": 2`, "paid", "repeated"},
		{"another amount", "", `"10.00"`, `"11.00"`, "paid", "differ sums payouts mirror positions"},
		{"no outcome", "INSERT INTO attempt (id, state) VALUES ('a2', 'unknown')", "", "", "paid", "stuck"},
		{"a late outcome", "UPDATE attempt SET settled_at = now() + interval '61 s'", "", "", "paid", "stuck"},
		{"told nothing", "", "", "", "nothing", "told"},
		{"told wrongly", "", "", "", "not paid, no money was taken", "told"},
		{"forgotten", "DELETE FROM transaction", "", "", "paid", "orders"},
		{"no letter", "DELETE FROM river_job", "", "", "paid", "receipts"},
		{"no receipt", "DELETE FROM receipt", "", "", "paid", "receipts"},
		{
			"given back twice", "", `{"kind": "refund"`,
			`{"kind": "refund", "reference": "r2", "trxId": "t1", "amount": "9.50"}, {"kind": "refund"`,
			"paid", "sums mirror positions lost refunds refunds over",
		},
		{"not given back", "", `{"kind": "refund"`, `{"kind": "void"`, "paid", "sums mirror positions ghost refunds"},
		{
			"less than was told", "UPDATE refund SET amount_minor = 90; UPDATE transaction SET refunded_minor = 90", "", "",
			"paid", "refunds differ refunds told",
		},
		{"a refund without end", "INSERT INTO refund (id, state) VALUES ('r2', 'pending')", "", "", "paid", "refunds open"},
		{"not paid out", "DELETE FROM payout", "", "", "paid", "sums payouts"},
		{"a difference without end", `UPDATE transaction SET differences = '[1]'`, "", "", "paid", "cases"},
		{"not mirrored", "DELETE FROM ledger_entry WHERE id = 'e2'", "", "", "paid", "mirror"},
		{"a false position", "UPDATE position SET lost_minor = 1", "", "", "paid", "positions"},
		{"still owed", "UPDATE movement SET payout = NULL WHERE kind = 'refund'", "", "", "paid", "owed"},
		{"a false closing", `UPDATE closing SET totals = '[]'`, "", "", "paid", "closings"},
		{"an unheard dispute", "", `{"kind": "payout"`, `{"kind": "dispute", "state": "opened"}, {"kind": "payout"`, "paid", "disputes mirror"},
	} {
		conn, err := pgx.Connect(t.Context(), server.DSN(embedded.Database))
		check.Must(t, err)
		bank := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Replace(ledger, tt.old, tt.changed, 1)))
		}))
		if _, err := conn.Exec(t.Context(), "BEGIN;"+schema+tt.sql); err != nil {
			t.Fatal(tt.name, err)
		}
		s := &site{gateway: &gateway{sandbox: &drive.Process{URL: bank.URL}}}
		v, err := s.compare(t.Context(), conn, map[string]string{"t1": tt.told}, map[string]refunded{"t1": {Cents: 100}})
		if err != nil {
			t.Fatal(tt.name, err)
		}
		var out bytes.Buffer
		if got := strings.Join(v.report(&out), " "); got != tt.want {
			t.Errorf("%s breaks %q, want %q\n%s", tt.name, got, tt.want, &out)
		}
		bank.Close()
		_ = conn.Close(t.Context())
	}
}

func TestRubbishDecidesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	approval := []byte(`{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1","redirect":"x"}`)
	for range 1000 {
		status, text, length := rubbish(r, "/api/pay", approval)
		var said bytes.Buffer
		_, _ = said.ReadFrom(text)
		var answer struct{ Status map[string]string }
		if status != http.StatusOK || said.Len() != length || json.Unmarshal(said.Bytes(), &answer) != nil {
			continue
		}
		pair := answer.Status["responsetype"] + " " + answer.Status["statuscode"]
		if pair == "1 0" || pair == "1 00" || pair == "0 05" {
			t.Errorf("%s decides something", &said)
		}
	}
}

func TestReadingTheRefundCommandsOutput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said, amount string
		want         outcome
	}{
		{"Refunded 4.00 AUD of T1.\n", "4.00", backDone},
		{"forecourt: an equal refund was already made", "4.00", backDone},
		{"forecourt: more than is left of the payment", "", backDone},
		{"forecourt: more than is left of the payment", "4.00", backUnknown},
		{"forecourt: it waits for a person", "", backManual},
		{"The gateway declined it.", "", backDeclined},
		{"", "", backUnknown},
	} {
		if got := readRefund(tt.said, tt.amount); got != tt.want {
			t.Errorf("%q of %q reads as %d, want %d", tt.said, tt.amount, got, tt.want)
		}
	}
}

func TestAMutantFitsAndLeavesTheSource(t *testing.T) {
	t.Parallel()
	patches, err := filepath.Glob("mutants/*.patch")
	if err != nil || len(patches) == 0 || len(patches) > 10 {
		t.Errorf("there are %d mutants, %v", len(patches), err)
	}
	if all, err := readMutants("../..", ""); err != nil || len(all) != len(patches) {
		t.Errorf("%d of %d mutants are read, %v", len(all), len(patches), err)
	}
	for _, patch := range append(patches, "crash.patch") {
		if _, err := overlay(t.Context(), "../..", t.TempDir(), patch); err != nil {
			t.Error(err)
		}
	}
	outdated := filepath.Join(t.TempDir(), "outdated.patch")
	text := "--- a/tools/chaos/main.go\n+++ b/tools/chaos/main.go\n@@ -1 +1 @@\n-package gone\n+package here\n"
	check.Must(t, os.WriteFile(outdated, []byte(text), 0o600))
	if _, err := overlay(t.Context(), "../..", t.TempDir(), outdated); err == nil || !strings.Contains(err.Error(), "does not apply") {
		t.Errorf("a patch that does not fit is applied: %v", err)
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"nothing"}, {"load", "more"}, {"load", "--payments", "many"}} {
		var said bytes.Buffer
		if code := run(t.Context(), args, &said, &said); code != 2 || !strings.Contains(said.String(), "Usage:") {
			t.Errorf("%q ends with %d: %s", args, code, &said)
		}
	}
}
