package staff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// refunding is a gateway that gives every refund the same answer and may list it in its ledger.
type refunding struct {
	answer string
	listed *string // the refund's line in the ledger; nil for none
}

func (g refunding) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/ledger" {
		fmt.Fprint(w, g.answer)
		return
	}
	entries := []map[string]any{}
	if g.listed != nil {
		entries = append(entries,
			map[string]any{"kind": "refund", "reference": *g.listed, "merchantId": "panezski", "testMode": true, "amount": "5.00", "currency": "AUD",
				"at": time.Now().UTC()})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"entries": entries})
}

// refunds returns two of the staff at a site with a refund that has been in a state for some hours.
func refunds(t *testing.T, g refunding, state string, hours int) (ann, kim *apptest.App, refund string) {
	t.Helper()
	refund = uuid.NewString()
	if g.listed != nil {
		*g.listed = refund
	}
	app := apptest.New(t, apptest.Options{Gateway: g})
	ann, kim = twoStaff(t, app)
	order, attempt := app.Order(t), uuid.NewString()
	dbtest.Exec(t, app.Pool, `INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, settled_at, transactionid)
		SELECT $1, id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now(), 'approved', now(), 'T-7' FROM transaction WHERE id = $2`, attempt, order)
	dbtest.Exec(t, app.Pool,
		"UPDATE transaction SET status = 'success', approved_attempt = $1, paid_at = now(), refunded_minor = CASE $3 WHEN 'declined' THEN 0 ELSE 500 END WHERE id = $2", attempt, order, state)
	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, created_at, settled_at, error_msg)
		SELECT $1, id, shop_code, 500, currency, test_mode, 'operator test', now() + interval '1 hour', $2, now() - make_interval(hours => $3),
			CASE $2 WHEN 'declined' THEN now() END, CASE $2 WHEN 'manual' THEN 'the answer could not be stored' ELSE '' END FROM transaction`, refund, state, hours)
	return ann, kim, refund
}

// refundStands fails the test unless the refund has the state, back is given back or reserved, and the audit log has the actions.
func refundStands(t *testing.T, app *apptest.App, state string, back int64, audit string) {
	t.Helper()
	stands := dbtest.Value[string](t, app.Pool, `SELECT concat(r.state, ' ', t.refunded_minor, ' ', (SELECT string_agg(split_part(actor, '@', 1) || ': ' || action, ', ' ORDER BY u.id)
		FROM audit u WHERE u.subject = r.id::text)) FROM refund r JOIN transaction t ON t.id = r.transaction_id`)
	check.Equal(t, stands, fmt.Sprint(state, " ", back, " ", audit), "the refund, what was given back, and the audit log")
}

func TestUnfinishedRefundsAreInAQueue(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state, part, label string
		hours              int
		why                string
		decidable          bool
	}{
		{"open", "", "Waiting", 1, "no outcome since", true},
		{"open", "under_way", "Under way", 0, "no outcome since", false},
		{"pending", "", "Waiting", 25, "with the gateway since", true},
		{"pending", "under_way", "Under way", 23, "with the gateway since", false},
		{"manual", "", "Waiting", 0, "the answer could not be stored", true},
		{"declined", "declined", "Declined", 0, "Asked for by operator test", false},
	} {
		ann, _, refund := refunds(t, refunding{answer: rubbish}, tt.state, tt.hours)
		for _, part := range []string{"", "under_way", "declined"} {
			page := ann.Visit(t, "/staff/refunds?state="+part)
			if part == tt.part {
				page.Has("$5.00", "Panezski", tt.label+" 1", tt.why)
			} else {
				page.HasNot("Panezski")
			}
		}
		ann.Visit(t, "/staff/refunds?state=all").Has("$5.00")
		page := ann.Visit(t, "/staff/refunds/"+refund).Has("$5.00 from Panezski", "operator test asked for the refund", "T-7")
		if tt.decidable {
			page.Has("not done so far", "Record decision")
		} else {
			page.HasNot("Record decision")
		}
	}
}

func TestARefundIsDecidedAsItsGatewaySays(t *testing.T) {
	t.Parallel()
	done, declined, pending := `{"status":"done","refundid":"R-9"}`, `{"status":"declined"}`, `{"status":"pending"}`
	for name, tt := range map[string]struct {
		answer, decision string
		listed, against  bool
		back             int64
	}{
		"done, and it is":             {done, "done", false, false, 500},
		"declined, and it is":         {declined, "declined", true, false, 0},
		"done, and it is declined":    {declined, "done", false, true, 500},
		"declined, and it is done":    {done, "declined", true, true, 0},
		"declined, and it is pending": {pending, "declined", true, true, 0},
		"done, and nobody knows":      {rubbish, "done", false, true, 500},
		"done, and it is listed":      {rubbish, "done", true, false, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var listed *string
			if tt.listed {
				listed = new(string)
			}
			ann, kim, refund := refunds(t, refunding{tt.answer, listed}, "manual", 1)
			page := "/staff/refunds/" + refund
			ann.Visit(t, page).Tick("decision", tt.decision).Press("Record decision").Has("Say why")
			asked := ann.Visit(t, page).Tick("decision", tt.decision).Type("reason", "Rang the bank.").Press("Record decision").Has("Rang the bank.")
			audit := "staff: decide refund " + tt.decision
			if tt.against {
				refundStands(t, ann, "manual", 500, "")
				dbtest.Exec(t, ann.Pool, "UPDATE session SET created_at = now() - interval '11 minutes'")
				asked.Has("the gateway does not confirm it").Press("Record decision").Has("Confirm that it is you")
				refundStands(t, ann, "manual", 500, "")
				asked.Type("password", demo.Password).Press("Confirm and continue").Has("decided against the gateway")
				audit = "staff: decide against the gateway, " + audit
			}
			refundStands(t, ann, tt.decision, tt.back, audit)
			kim.Visit(t, page).HasNot("Record decision")
			ann.Post(t, page, url.Values{"decision": {tt.decision}, "reason": {"x"}, "seen": {"0"}}).Want(t, http.StatusConflict,
				"deciding again answers")
		})
	}
}
