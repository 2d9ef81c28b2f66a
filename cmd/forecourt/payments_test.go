package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/dbtest"
)

// undecidedHere makes a payment that a person has to decide, and such a refund of another payment.
func undecidedHere(t *testing.T, conn *pgx.Conn) (attempt, refund string) {
	t.Helper()
	attempt, refund = uuid.NewString(), uuid.NewString()
	for _, statement := range []string{
		`INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode, kind)
			SELECT id, 'panezski', 'processing', 1100, 'AUD', 'AU', true, 'link'
			FROM unnest(ARRAY['waiting-payment-of-22-letters', 'refunded-payment-22-letters']) id`,
		fmt.Sprintf(`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method,
			                                  form_key, lease_until, state, settled_at, transactionid)
			VALUES ('%s', 'waiting-payment-of-22-letters', 'panezski', 1100, 'AUD', true, 'card', 'k', now(), 'manual', NULL, NULL),
			       ('%s', 'refunded-payment-22-letters', 'panezski', 1100, 'AUD', true, 'card', 'k', now(), 'approved', now(), 'T-1')`,
			attempt, refund),
		fmt.Sprintf(
			`UPDATE transaction SET status = 'paid', approved_attempt = '%s', paid_at = now(), refunded_minor = 500 WHERE id LIKE 'refunded%%'`,
			refund,
		),
		fmt.Sprintf(`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state)
			VALUES ('%s', 'refunded-payment-22-letters', 'panezski', 500, 'AUD', true, 'test', now(), 'manual')`, refund),
	} {
		dbtest.Exec(t, conn, statement)
	}
	return attempt, refund
}

func TestTheCommandLineListsWhatWaits(t *testing.T) {
	t.Parallel()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":{"responsetype":"0","statuscode":"5"}}`)
	}))
	defer gateway.Close()
	url := dbtest.URL(t)
	conn := connect(t, url)
	attempt, refund := undecidedHere(t, conn)
	values := outside(t, url, "FORECOURT_DEMO", "off", "GATEWAY_URL", gateway.URL, "GATEWAY_KEY", "k")
	command := func(want int, says string, args ...string) {
		t.Helper()
		if said := (shell{t, values}).says(want, says, args...); strings.Contains(said, "ERROR:") || strings.Contains(said, "violates") {
			t.Errorf("%v: the operator sees %s", args, said)
		}
	}
	command(0, attempt, "payments")
	command(0, refund, "payments", "--refunds")
	// Staff approved a capture that has no id at the gateway.
	for _, statement := range []string{
		"UPDATE attempt SET state = 'approved', settled_at = now() WHERE id = '" + attempt + "'",
		"UPDATE transaction SET status = 'paid', approved_attempt = '" + attempt + "', paid_at = now() WHERE id LIKE 'waiting%'",
		"UPDATE refund SET state = 'done', settled_at = now() WHERE id = '" + refund + "'",
	} {
		dbtest.Exec(t, conn, statement)
	}
	command(1, "named no transaction id", "refund", "waiting-payment-of-22-letters")
	command(1, "belongs to another payment", "refund", "waiting-payment-of-22-letters", "--transactionid", "T-1")
	// The database's own messages must not be shown.
	dbtest.Exec(t, conn, "ALTER TABLE refund ADD CONSTRAINT never CHECK (amount_minor < 0) NOT VALID")
	command(
		1, "the database refused this (SQLSTATE 23514) and nothing was changed", "refund", "refunded-payment-22-letters", "--amount", "1.00",
	)
}
