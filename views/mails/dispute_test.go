package mails_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/settlement"
	"forecourt/views/mails"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// TestLettersAboutTestDisputesAreLimited checks which business's limit counts the letter about a dispute. Anybody can pay in test mode
// with the card that causes a dispute.
func TestLettersAboutTestDisputesAreLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	payAs(t, app, app.Order(t), "")
	attempt := dbtest.Value[uuid.UUID](t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt RETURNING attempt_id`)
	data, err := json.Marshal(settlement.DisputeData{Attempt: attempt, State: state.DisputeOpened})
	check.Must(t, err)
	write := mails.Letters{Public: &url.URL{}}.Writers()[settlement.LetterDispute]
	for live, want := range map[bool]string{false: "panezski", true: ""} {
		dbtest.Exec(t, app.Pool, "UPDATE dispute SET test_mode = NOT $1", live)
		err := pgx.BeginFunc(t.Context(), app.Pool, func(tx pgx.Tx) error {
			letter, err := write(t.Context(), tx, data)
			if err == nil && letter.Business != want {
				t.Errorf("live %t: the letter counts for %q, want %q", live, letter.Business, want)
			}
			return err
		})
		check.NoError(t, err)
	}
}

// The letter about a dispute of a payment that was refunded names the refund, and does not say that the money has not gone back yet.
func TestALetterAboutADisputeNamesEarlierRefunds(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	payAs(t, app, app.Order(t), "")
	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until,
			state, settled_at, refundid)
		SELECT gen_random_uuid(), id, shop_code, 500, currency, test_mode, 'x', now(), 'done', '2026-11-03T01:00:00Z', 'R-77' FROM transaction`)
	attempt := dbtest.Value[uuid.UUID](t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency,
			test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt RETURNING attempt_id`)
	data, err := json.Marshal(settlement.DisputeData{Attempt: attempt, State: state.DisputeOpened})
	check.Must(t, err)
	write := mails.Letters{Public: &url.URL{}, Support: "support@forecourt.test"}.Writers()[settlement.LetterDispute]
	check.Must(t, pgx.BeginFunc(t.Context(), app.Pool, func(tx pgx.Tx) error {
		letter, err := write(t.Context(), tx, data)
		if err == nil {
			check.Contains(t, letter.Plain, "You have refunded $5.00 of this payment: $5.00 on 3 November 2026 (refund R-77). "+
				"Answer with it as evidence", "the letter")
			check.Lacks(t, letter.Plain, "Do not refund", "the letter")
		}
		return err
	}))
}
