package payment_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestTheSchemaRefusesImpossibleRows(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	paid, fresh := app.Order(t), app.Order(t)
	_, err := app.Payments.PayCard(t.Context(), "panezski", paid, "k", typed(t, "4111111111111111"))
	check.Must(t, err)
	settled(t, app, paid)
	for name, tt := range map[string]struct{ statement, id, code string }{
		"a second open attempt beside an approved one": {`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'other', now() FROM transaction WHERE id = $1`, paid, "23505"},
		"the same form key twice": {`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, settled_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now(), 'declined', now() FROM transaction WHERE id = $1`, paid, "23505"},
		"an attempt of another amount": {`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until)
			SELECT gen_random_uuid(), id, shop_code, amount_minor + 1, currency, test_mode, 'card', 'k', now() FROM transaction WHERE id = $1`, fresh, "23503"},
		"an attempt of another merchant": {`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until)
			SELECT gen_random_uuid(), id, 'moollar', amount_minor, currency, test_mode, 'card', 'k', now() FROM transaction WHERE id = $1`, fresh, "23503"},
		"paid without an attempt":                      {"UPDATE transaction SET status = 'success' WHERE id = $1", fresh, "23514"},
		"an approved attempt of an unpaid transaction": {"UPDATE transaction SET status = 'error' WHERE id = $1", paid, "23514"},
		"a zero amount":                                {"UPDATE transaction SET amount_minor = 0 WHERE id = $1", fresh, "23514"},
		"a line of another merchant":                   {"UPDATE order_line SET shop_code = 'moollar' WHERE transaction_id = $1", fresh, "23503"},
		"a settled attempt without a time":             {"UPDATE attempt SET settled_at = NULL WHERE transaction_id = $1", paid, "23514"},
		"more of a card than its last four digits":     {"UPDATE attempt SET card_last_four = '41111' WHERE transaction_id = $1", paid, "23514"},
		"an empty gateway transaction id":              {"UPDATE attempt SET transactionid = '' WHERE transaction_id = $1", paid, "23514"},
	} {
		_, err := app.Pool.Exec(t.Context(), tt.statement, tt.id)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != tt.code {
			t.Errorf("%s: got %v, want %s", name, err, tt.code)
		}
	}
}
