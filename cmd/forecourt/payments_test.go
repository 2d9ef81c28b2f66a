package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/dbtest"
)

// undecidedHere makes a payment that a person has to decide, and such a refund of another payment.
func undecidedHere(t *testing.T, url string) (attempt, refund string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	attempt, refund = uuid.NewString(), uuid.NewString()
	for _, statement := range []string{
		`INSERT INTO transaction (id, client_code, status, amount_minor, currency, country_code, test_mode, kind)
			SELECT id, 'panezski', 'processing', 1100, 'AUD', 'AU', true, 'link' FROM unnest(ARRAY['waiting-payment-of-22-letters', 'refunded-payment-22-letters']) id`,
		fmt.Sprintf(`INSERT INTO attempt (id, transaction_id, client_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, settled_at, transactionid)
			VALUES ('%s', 'waiting-payment-of-22-letters', 'panezski', 1100, 'AUD', true, 'card', 'k', now(), 'manual', NULL, NULL),
			       ('%s', 'refunded-payment-22-letters', 'panezski', 1100, 'AUD', true, 'card', 'k', now(), 'approved', now(), 'T-1')`, attempt, refund),
		fmt.Sprintf(`UPDATE transaction SET status = 'paid', approved_attempt = '%s', paid_at = now(), refunded_minor = 500 WHERE id LIKE 'refunded%%'`, refund),
		fmt.Sprintf(`INSERT INTO refund (id, transaction_id, client_code, amount_minor, currency, test_mode, requested_by, lease_until, state)
			VALUES ('%s', 'refunded-payment-22-letters', 'panezski', 500, 'AUD', true, 'test', now(), 'manual')`, refund),
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return attempt, refund
}

func TestPaymentsAreDecidedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/refund" {
			fmt.Fprint(w, `{"status":"pending"}`)
			return
		}
		fmt.Fprint(w, `{"status":{"responsetype":"0","statuscode":"5"}}`)
	}))
	defer gateway.Close()
	url := dbtest.URL(t)
	attempt, refund := undecidedHere(t, url)
	values := map[string]string{
		"DATABASE_URL": url, "FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DATA": folder(t), "FORECOURT_DEMO": "off",
		"GATEWAY_URL": gateway.URL, "GATEWAY_KEY": "k",
	}
	command := func(want int, says string, args ...string) {
		t.Helper()
		var out strings.Builder
		if code := run(t.Context(), args, from(values), &out, &out); code != want || !strings.Contains(out.String(), says) {
			t.Errorf("%v: exit code %d, want %d with %q: %s", args, code, want, says, &out)
		}
		if said := out.String(); strings.Contains(said, "ERROR:") || strings.Contains(said, "violates") {
			t.Errorf("%v: the operator sees %s", args, said)
		}
	}
	command(0, attempt, "payments")
	command(0, refund, "payments", "--refunds")
	command(2, "", "payments", "decide", attempt, "approved")
	command(1, "the gateway does not confirm it (declined)", "payments", "decide", attempt, "approved", "--reason", "rang the bank")
	command(1, "the gateway named no transaction id", "payments", "decide", attempt, "given_back", "--reason", "rang the bank", "--against-gateway", "Ann", "--gateway-says", "declined")
	command(2, "go together", "payments", "decide", attempt, "approved", "--reason", "rang the bank", "--against-gateway", "Ann")
	command(1, "says something else (declined)", "payments", "decide", attempt, "approved", "--reason", "rang the bank", "--against-gateway", "Ann", "--gateway-says", "not decided yet")
	command(0, "cannot be refunded until forecourt refund --transactionid names it", "payments", "decide", attempt, "approved", "--reason", "rang the bank", "--against-gateway", "Ann", "--gateway-says", "declined")
	command(1, "does not wait for a decision", "payments", "decide", attempt, "approved", "--reason", "rang the bank")
	command(1, "named no transaction id", "refund", "waiting-payment-of-22-letters")
	command(1, "belongs to another payment", "refund", "waiting-payment-of-22-letters", "--transactionid", "T-1")
	command(1, "the gateway does not confirm it (not decided yet)", "payments", "decide", refund, "done", "--reason", "rang the bank")
	command(0, "is done now", "payments", "decide", refund, "done", "--reason", "rang the bank", "--against-gateway", "Ann", "--gateway-says", "not decided yet")

	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var with int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM audit WHERE action = 'decide against the gateway' AND reason LIKE 'with Ann; the gateway says: %'").Scan(&with); err != nil || with != 2 {
		t.Errorf("%d lines of the audit log name Ann, %v; want 2", with, err)
	}
	// The database's own messages must not be shown.
	if _, err := conn.Exec(t.Context(), "ALTER TABLE refund ADD CONSTRAINT never CHECK (amount_minor < 0) NOT VALID"); err != nil {
		t.Fatal(err)
	}
	command(1, "the database refused this (SQLSTATE 23514) and nothing was changed", "refund", "refunded-payment-22-letters", "--amount", "1.00")
}
