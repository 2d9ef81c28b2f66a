package db_test

import (
	"testing"

	"forecourt/internal/dbtest"
)

// The previous version's program still names the columns for hashes. The next version drops them.
func TestCardHashesAreNotStored(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var hashes int
	err := pool.QueryRow(t.Context(), `WITH t AS (
			INSERT INTO transaction (id, client_code, amount_minor, currency, country_code, test_mode, kind)
			VALUES ('a-transaction-of-22-letters', 'panezski', 100, 'AUD', 'AU', true, 'link') RETURNING *
		), a AS (
			INSERT INTO attempt (id, transaction_id, client_code, amount_minor, currency, test_mode, method, form_key, lease_until, card_hash, address_hash)
			SELECT gen_random_uuid(), id, client_code, amount_minor, currency, test_mode, 'card', 'k', now(), '\x01', '\x02' FROM t RETURNING *
		)
		SELECT num_nonnulls(card_hash, address_hash) FROM a`).Scan(&hashes)
	if err != nil || hashes != 0 {
		t.Errorf("%d hashes are stored, %v", hashes, err)
	}
}
