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
