package payment_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
)

func TestAPersonAndTheGatewayChangeOnlyTheirOwnStates(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	queries := db.New(app.Pool)
	for _, state := range []string{"submitting", "redirected", "unknown", "manual", "approved", "declined", "not_charged"} {
		for _, byPerson := range []bool{false, true} {
			for _, approve := range []bool{false, true} {
				id, attempt := app.Order(t), uuid.New()
				changeByHand(t, app, fmt.Sprintf(`WITH a AS (
					INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, settled_at)
					SELECT '%s', id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now() + interval '1 hour', '%s',
						CASE WHEN '%[2]s' IN ('approved', 'declined', 'not_charged') THEN now() END FROM transaction WHERE id = '%s')
					UPDATE transaction SET status = 'processing' WHERE id = '%[3]s'`, attempt, state, id))
				var rows int64
				var err error
				if approve {
					rows, err = queries.AttemptApprove(t.Context(), db.AttemptApproveParams{ID: attempt, ByPerson: byPerson})
				} else {
					rows, err = queries.AttemptRefuse(t.Context(), db.AttemptRefuseParams{ID: attempt, State: "declined", ByPerson: byPerson})
				}
				open := state == "submitting" || state == "redirected" || state == "unknown"
				if moves := open && !byPerson || state == "manual" && byPerson; err != nil || (rows == 1) != moves {
					t.Errorf("from %s, by a person %t, to approved %t: changed %d rows, %v; want a change: %t", state, byPerson, approve, rows, err, moves)
				}
			}
		}
	}
}
