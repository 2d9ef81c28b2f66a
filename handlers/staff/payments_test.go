package staff_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

const second = "kim@forecourt.test"

// Answers of a gateway about a payment.
const (
	says     = `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-7","amount":"11.00","currency":"AUD"}`
	declines = `{"status":{"responsetype":"0","statuscode":"5"}}`
	rubbish  = "<html>"
)

// waiting returns two of the staff at a site whose gateway always gives the same answer, with an attempt that began some minutes ago.
func waiting(t *testing.T, answer string, minutes int) (ann, kim *apptest.App, attempt string) {
	t.Helper()
	return waitingAt(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }, minutes)
}

// twoStaff returns two of the staff, Kim as second.
func twoStaff(t *testing.T, app *apptest.App) (ann, kim *apptest.App) {
	t.Helper()
	ann, kim = app.NewPerson(t).SignInStaff(t), app.NewPerson(t).SignUp(t, second)
	dbtest.Exec(t, app.Pool, "UPDATE account SET staff = true WHERE email = $1", second)
	return ann, kim
}

func waitingAt(t *testing.T, gateway http.HandlerFunc, minutes int) (ann, kim *apptest.App, attempt string) {
	t.Helper()
	app := apptest.New(t, apptest.Options{Gateway: gateway, Jobs: true})
	ann, kim = twoStaff(t, app)
	order, attempt := app.Order(t), uuid.NewString()
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'processing', amount_minor = 1100 WHERE id = $1", order)
	dbtest.Exec(t, app.Pool, `INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, created_at)
		SELECT $1, id, shop_code, 1100, currency, test_mode, 'card', 'k', now() + interval '1 hour', 'unknown', now() - make_interval(mins => $2)
		FROM transaction WHERE status = 'processing'`, attempt, minutes)
	return ann, kim, attempt
}

// stands fails the test unless the attempt has the state and the audit log the actions, with their actors.
func stands(t *testing.T, app *apptest.App, state, audit string) {
	t.Helper()
	check.Equal(t, dbtest.Value[string](t, app.Pool, `SELECT state || ', ' || coalesce((SELECT string_agg(split_part(actor, '@', 1) || ': ' || action, ', ' ORDER BY u.id)
		FROM audit u WHERE u.subject = a.id::text), '') FROM attempt a`), state+", "+audit, "the attempt")
}

func TestPaymentsOlderThanFiveMinutesWaitForStaff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		minutes int
		listed  bool
	}{{4, false}, {6, true}} {
		ann, _, attempt := waiting(t, rubbish, tt.minutes)
		queue, page := ann.Visit(t, "/staff/payments"), ann.Visit(t, "/staff/payments/"+attempt)
		if !tt.listed {
			queue.Has("No payment is waiting for you").HasNot("Panezski")
			page.Has("Under way").HasNot("Record decision")
			continue
		}
		queue.Has("$11.00", "Panezski", "Waiting 1", "no outcome since")
		page.Has("$11.00 at Panezski", "Paid with Card", "The customer started the payment", "nothing that can be understood, or it cannot be asked", "Record decision")
	}
}

func TestOnePersonDecidesAsTheGatewaySays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ answer, decision, says, state string }{
		{says, "approved", "approved, 11.00 AUD", "approved"},
		{declines, "not_charged", "declined", "not_charged"},
	} {
		ann, _, attempt := waiting(t, tt.answer, 6)
		page := "/staff/payments/" + attempt
		ann.Visit(t, page).Has(tt.says).Tick("decision", tt.decision).Press("Record decision").Has("Say why")
		ann.Visit(t, page).Tick("decision", tt.decision).Type("reason", "Rang the bank").Press("Record decision").
			Has("Rang the bank").HasNot("Record decision")
		stands(t, ann, tt.state, "staff: decide "+tt.decision)
		ann.Post(t, page, url.Values{"decision": {tt.decision}, "reason": {"x"}, "seen": {"0"}}).Want(t, http.StatusConflict,
			"deciding again answers")
	}
}

func TestOnePersonDecidesAgainstTheGatewayAndAllStaffLearnOfIt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ answer, decision, state string }{
		"the gateway declined":     {declines, "approved", "approved"},
		"the gateway says nothing": {rubbish, "not_charged", "not_charged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ann, kim, attempt := waiting(t, tt.answer, 6)
			page := "/staff/payments/" + attempt
			// Without what the gateway says, the decision comes back with it.
			blind := url.Values{"decision": {tt.decision}, "reason": {"Rang the bank."}, "seen": {"0"}}
			ann.Post(t, page, blind).Want(t, http.StatusConflict, "deciding blindly answers", "the gateway does not confirm it")
			stands(t, ann, "unknown", "")
			ann.Visit(t, page).Has("The gateway says")
			stale := kim.Visit(t, page)
			// A session that somebody copied does not decide alone.
			dbtest.Exec(t, ann.Pool, "UPDATE session SET created_at = now() - interval '11 minutes'")
			asked := ann.Visit(t, page).Tick("decision", tt.decision).Type("reason", "Rang the bank.").Press("Record decision").
				Has("Confirm that it is you")
			stands(t, ann, "unknown", "")
			asked.Type("password", demo.Password).Press("Confirm and continue").
				Has("Rang the bank.", "decided against the gateway").HasNot("Record decision")
			stands(t, ann, tt.state, "staff: decide against the gateway, staff: decide "+tt.decision)
			stale.Tick("decision", "approved").Type("reason", "x").Press("Record decision").Has("Your decision was not recorded")
			for _, to := range []string{demo.StaffEmail, second} {
				letter := ann.Mails(t, to, 1)[0]
				if letter.Subject != "A payment of $11.00 was decided against the gateway" || !strings.Contains(letter.Plain, "Rang the bank.") || ann.Link(t, letter) != page {
					t.Errorf("%s reads %q: %s", to, letter.Subject, letter.Plain)
				}
			}
		})
	}
}

func TestACapturedPaymentCannotBeDecidedAsNotCharged(t *testing.T) {
	t.Parallel()
	ann, _, attempt := waiting(t, says, 6)
	page := "/staff/payments/" + attempt
	ann.Visit(t, page).Tick("decision", "not_charged").Type("reason", "Rang the bank.").Press("Record decision").
		Has("The gateway says that it has captured the money", "approved, 11.00 AUD", "Rang the bank.")
	stands(t, ann, "unknown", "")
}

func TestADecisionAgainstTheGatewayNeedsItsPresentAnswer(t *testing.T) {
	t.Parallel()
	var declined atomic.Bool
	ann, _, attempt := waitingAt(t, func(w http.ResponseWriter, _ *http.Request) {
		if declined.Load() {
			fmt.Fprint(w, declines)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}, 6)
	shown := ann.Visit(t, "/staff/payments/"+attempt).Has("The gateway says not decided yet")
	declined.Store(true)
	shown = shown.Tick("decision", "approved").Type("reason", "Rang the bank.").Press("Record decision").
		Has("does not confirm it. It says: “declined”", "Rang the bank.")
	stands(t, ann, "unknown", "")
	shown.Press("Record decision").HasNot("Record decision")
	stands(t, ann, "approved", "staff: decide against the gateway, staff: decide approved")
}
