package settlement_test

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/people/account"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	approves = "4111111111111111"
	disputes = "4000000000002685"
)

// charge pays an order of $11.00 and returns the transaction and the attempt.
func charge(t *testing.T, app *apptest.App, pan string) (trx string, a db.Attempt) {
	t.Helper()
	trx = app.Order(t)
	c, problems := payment.CardInput{Name: "Pat", Expiry: "12/39", Number: card.Type(pan), CVC: card.Type("123")}.Check(time.Now())
	check.MustEqual(t, len(problems), 0, "Check, %v", problems)
	a, err := app.Payments.PayCard(t.Context(), "panezski", trx, "k", c)
	check.Must(t, err)
	return trx, a
}

// pay is a charge that is approved. It returns the charge's reference.
func pay(t *testing.T, app *apptest.App, pan string) (trx, reference string) {
	t.Helper()
	trx, a := charge(t, app, pan)
	check.MustEqual(t, a.State, state.AttemptApproved, "the charge")
	return trx, a.ID.String()
}

// findings reads the ledger and compares what is doubtful about payouts with what a test wants, "" for nothing.
func findings(t *testing.T, app *apptest.App, wants ...string) {
	t.Helper()
	read(t, app)
	found, err := app.Settlement.Findings(t.Context())
	check.Must(t, err)
	check.Equal(t, len(found) > 0, len(wants) > 0, "findings: %v", found)
	for _, want := range wants {
		check.Contains(t, fmt.Sprint(found), want, "findings")
	}
}

// read imports the disputes and payouts of the gateway's ledger.
func read(t *testing.T, app *apptest.App) {
	t.Helper()
	check.Must(t, app.Settlement.Read(t.Context(), "", time.Now().AddDate(0, 0, -40), time.Now().Add(time.Hour)))
}

// text reads a string from the database.
func text(t *testing.T, app *apptest.App, query string, args ...any) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, query, args...)
}

// ages makes a charge older.
func ages(t *testing.T, app *apptest.App, reference, by string) {
	t.Helper()
	dbtest.Exec(t, app.Pool,
		"UPDATE attempt SET created_at = created_at - $2::text::interval, settled_at = settled_at - $2::text::interval WHERE id = $1", reference,
		by)
	dbtest.Exec(t, app.Pool, "UPDATE movement SET moved_at = moved_at - $2::text::interval WHERE id = $1", reference, by)
}

func TestADisputeIsRecordedShownAndMailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	trx, reference := pay(t, app, disputes)
	read(t, app)
	read(t, app)
	const stands = "SELECT coalesce(string_agg(state, ' '), '') FROM dispute WHERE transaction_id = $1"
	check.Equal(t, text(t, app, stands, trx), "opened", "the disputes")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
	check.ErrorIs(t, err, payment.ErrDisputed, "a refund during the dispute")
	staff := app.NewPerson(t).SignInStaff(t)
	staff.Visit(t, "/staff/disputes").Has("$11.00", "Panezski", "Answer by", "Open 1")
	staff.Visit(t, "/staff/disputes/"+reference).Has("$11.00 at Panezski", trx, "Answer by").HasNot("Decide")
	for _, path := range []string{"/staff/disputes/" + strings.Repeat("0", 36), "/staff/disputes/x"} {
		check.Equal(t, staff.Get(t, path).Status, http.StatusNotFound, "%s answered", path)
	}
	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": reference, "state": "lost"})
	read(t, app)
	check.Equal(t, text(t, app, stands, trx), "lost", "after the loss, the disputes")
	var subjects []string
	for _, m := range app.Mails(t, "orders@panezski.example", 3) { // including the receipt
		subjects = append(subjects, m.Subject)
	}
	for _, want := range []string{"A payment of $11.00 is disputed", "The dispute about $11.00 is lost"} {
		if !slices.Contains(subjects, want) {
			t.Errorf("the business was mailed %q, not %q", subjects, want)
		}
	}
	staff.Visit(t, "/staff/disputes?state=lost").Has("$11.00", "Lost 1")
}

// A refund that found no dispute waits for one that is being recorded, since otherwise the payer would get the money twice.
func TestARefundWaitsForADisputeOfTheSameMoment(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx, reference := pay(t, app, approves)
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	stored, err := db.New(tx).LedgerStore(t.Context(), fmt.Appendf(nil, `[{"id":"%s","gateway":"sandbox","kind":"dispute","reference":"%s",
		"trx_id":"","transactionid":"","merchant":"panezski","test_mode":true,"amount_minor":1100,"currency":"AUD","state":"opened","arrivals":0,
		"at":"2026-10-01T00:00:00Z","gross_minor":0,"fees_minor":0,"lines":[],"odd":""}]`, uuid.New(), reference))
	if err != nil || len(stored) != 1 {
		t.Fatal(stored, err)
	}
	refund := make(chan error, 1)
	go func() {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
		refund <- err
	}()
	apptest.Eventually(t, "the refund waits", func() bool {
		return text(t, app, `SELECT count(*)::text FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%name: RefundClaim %'`) == "1"
	})
	check.Must(t, tx.Commit(t.Context()))
	check.ErrorIs(t, <-refund, payment.ErrDisputed, "the refund")
	check.Equal(t, text(t, app, "SELECT refunded_minor || ' in ' || (SELECT count(*) FROM refund) FROM transaction WHERE id = $1", trx), "0 in 0",
		"refunded … refunds")
}

func TestEachMovementIsSettledInOnePayout(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	given, _ := pay(t, app, approves)
	_, lost := pay(t, app, disputes)
	pay(t, app, disputes) // stays open, so that its charge alone is paid out
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: given, Amount: 100, By: "test"})
	check.Must(t, err)
	app.Acquirer(t, "/sandbox/payout", nil)
	read(t, app)
	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": lost, "state": "lost"})
	app.Acquirer(t, "/sandbox/payout", nil)
	read(t, app)
	findings(t, app)
	// 1.5 % of 11.00 is 16.5 cents, rounded half up, for each of three payments.
	const want = "panezski AUD t 3200 51 3149 3200; panezski AUD t -1100 0 -1100 -1100"
	check.Equal(t, text(t, app, `SELECT string_agg(concat_ws(' ', shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, held_minor), '; ' ORDER BY paid_at) FROM payout`), want,
		"the payouts")
	const lines = "capture 3; refund 1; taken 1"
	check.Equal(t, text(t, app, "SELECT string_agg(kind || ' ' || n, '; ' ORDER BY kind) FROM (SELECT kind, count(*) AS n FROM payout_line GROUP BY kind) l"), lines,
		"the payouts hold")
}

func TestMistakesInPayoutsAreFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		times                           int
		gross, net, merchant, reference string // "" for the charge's
		want                            []string
	}{
		"nothing":             {1, "11.00", "10.83", "panezski", "", nil},
		"a charge held twice": {2, "11.00", "10.83", "panezski", "", []string{"once more"}},
		"another gross":       {1, "12.00", "11.83", "panezski", "", []string{"gross 12.00, fees 0.17, net 11.83; what it holds comes to 11.00 AUD here"}},
		"another net":         {1, "11.00", "9.83", "panezski", "", []string{"net 9.83"}},
		"another business":    {1, "11.00", "10.83", "sabona", "", []string{"which is not a movement of sabona in AUD here"}},
		"an unknown movement": {1, "11.00", "10.83", "panezski", "nobody-1", []string{"it holds nobody-1, which is not a movement of panezski"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app, gateway := site(t)
			_, reference := pay(t, app, approves)
			for n := range tt.times {
				gateway.paysAs(fmt.Sprint("p", n), tt.gross, "0.17", tt.net, tt.merchant, cmp.Or(tt.reference, strings.ToUpper(reference)))
			}
			findings(t, app, tt.want...)
		})
	}
}

func TestADisputeInAnotherCurrencyIsNotAddedToAPayout(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	gateway.paysAs("p1", "11.00", "0.17", "10.83", "panezski", reference)
	read(t, app)
	dbtest.Exec(t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at, ended_at)
		SELECT id, transaction_id, shop_code, 700, 'GBP', test_mode, 'lost', now(), now() FROM attempt; UPDATE dispute SET state = 'won'`)
	gateway.paysAs("p2", "-13.00", "0.17", "-13.17", "panezski", reference)
	gateway.paysAs("p3", "13.00", "0.17", "12.83", "panezski", reference)
	read(t, app)
	const want = "p1 1100 1100, p2 -1300 0, p3 1300 0"
	check.Equal(t, text(t, app, "SELECT string_agg(concat_ws(' ', id, gross_minor, held_minor), ', ' ORDER BY id) FROM payout"), want,
		"the payouts hold")
	check.Equal(t, text(t, app, "SELECT string_agg(kind, ' ' ORDER BY payout) FROM payout_line"), "capture again again", "their lines")
}

func TestAMovementMissingFromPayoutsIsListedAfterFiveDays(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, young := pay(t, app, approves)
	trx, old := pay(t, app, approves)
	ages(t, app, old, "121 hours")
	findings(t, app, "capture", trx, "is in no payout")
	gateway.paysAs("late", "11.00", "0.17", "10.83", "panezski", old)
	gateway.paysAs("in time", "11.00", "0.17", "10.83", "panezski", young)
	findings(t, app)
}

func TestAGatewayWithoutDisputesAndPayoutsHasNoFindings(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	gateway.kinds = `[]`
	_, old := pay(t, app, approves)
	ages(t, app, old, "10 days")
	findings(t, app)
}

func TestAPayoutInDoubtCanBeAccepted(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	gateway.paysAs("p1", "12.00", "0.17", "11.83", "panezski", reference)
	findings(t, app, "gross 12.00")
	number := dbtest.Value[int64](t, app.Pool, "SELECT number FROM payout")
	check.Must(t, app.Settlement.AcceptPayout(t.Context(), number, "Kim", "the bank told us", account.OperatorProof()))
	findings(t, app)
	for _, no := range []int64{number, number + 1} {
		check.ErrorIs(t, app.Settlement.AcceptPayout(t.Context(), no, "Kim", "x", account.OperatorProof()), settlement.ErrNoDoubt, "accepting %d", no)
	}
	check.Equal(t, text(t, app, "SELECT string_agg(concat_ws(' ', actor, action, subject, reason), '; ') FROM audit WHERE action LIKE '%payout'"), "Kim accept payout p1 the bank told us",
		"the audit log")
}

// A payout is one that is known only if all that the gateway says of it is the same.
func TestARepeatedPayoutIDIsASecondPayout(t *testing.T) {
	t.Parallel()
	const at = "2026-11-20T10:00:00Z"
	for name, tt := range map[string]struct{ second, want string }{
		"all of it again":    {payout("p1", "11.00", "panezski", at, "FIRST"), "p1 1100 1100"},
		"another reference":  {payout("p1", "11.00", "panezski", at, "SECOND"), "p1 1100 1100, p1 1100 1100 repeated"},
		"another time":       {payout("p1", "11.00", "panezski", "2026-11-21T10:00:00Z", "SECOND"), "p1 1100 1100, p1 1100 1100 repeated"},
		"other figures":      {payout("p1", "12.00", "panezski", at, "SECOND"), "p1 1100 1100, p1 1200 1100 repeated"},
		"another business":   {payout("p1", "11.00", "sabona", at, "SECOND"), "p1 1100 1100, p1 1100 0 repeated"},
		"another payment id": {payout("p2", "11.00", "panezski", at, "SECOND"), "p1 1100 1100, p2 1100 1100"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app, gateway := site(t)
			_, first := pay(t, app, approves)
			_, second := pay(t, app, approves)
			named := strings.NewReplacer("FIRST", first, "SECOND", second)
			gateway.payouts = []string{named.Replace(payout("p1", "11.00", "panezski", at, "FIRST")), named.Replace(tt.second)}
			read(t, app)
			read(t, app)
			check.Equal(t, text(t, app, `SELECT string_agg(concat_ws(' ', id, gross_minor, held_minor, CASE WHEN repeated THEN 'repeated' END), ', ' ORDER BY number)
				FROM payout`), tt.want, "the payouts")
			found, err := app.Settlement.Findings(t.Context())
			check.Must(t, err)
			check.Equal(t, strings.Contains(fmt.Sprint(found), "had given its id to another payout"), strings.Contains(tt.want, "repeated"),
				"in doubt: %v", found)
		})
	}
}

// Another gateway may number its payouts like the previous one.
func TestTwoGatewaysMayHaveAPayoutWithTheSameID(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	dbtest.Exec(t, app.Pool, `INSERT INTO payout (gateway, id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
		VALUES ('the previous one', 'p1', 'panezski', 'AUD', true, 0, 0, 0, now())`)
	gateway.pays("p1", "11.00", reference)
	findings(t, app)
	check.Equal(t, text(t, app, "SELECT count(*) || ' payouts, owed ' || (SELECT count(*) FROM owed) FROM payout"), "2 payouts, owed 0",
		"there are")
}

// What is in a payout is that of its own business, in its currency and mode.
func TestAPayoutOfNobodyHoldsNothing(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	dbtest.Exec(t, app.Pool, `INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
		SELECT code || currency || test, code, currency, test, 1100, 0, 1100, now()
		FROM (VALUES ('', 'AUD', true), ('sabona', 'AUD', true), ('panezski', 'USD', true), ('panezski', 'AUD', false)) v (code, currency, test)`)
	dbtest.Exec(t, app.Pool, "INSERT INTO payout_line (payout, line_no, reference) SELECT number, 1, $1 FROM payout", reference)
	gateway.payouts = nil
	findings(t, app, "which is not a movement of")
	check.Equal(t, text(t, app, "SELECT string_agg(DISTINCT kind, ' ') || ', owed ' || (SELECT count(*) FROM owed) FROM payout_line"),
		"unknown, owed 1", "the lines are")
}

// The shares of payments in the fees of their payout add up to the fees, and the fees are a movement of their own.
func TestFeesAreSharedSoThatTheyAddUp(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	var references []string
	for range 3 {
		_, reference := pay(t, app, approves)
		references = append(references, reference)
	}
	gateway.paysAs("p1", "33.00", "0.50", "32.50", "panezski", references...)
	findings(t, app)
	check.Equal(t, text(t, app, "SELECT string_agg(fee_minor::text, ' ' ORDER BY fee_minor) FROM movement WHERE kind = 'capture'"), "16 17 17",
		"the shares")
	check.Equal(t, text(t, app, "SELECT amount_minor || ' ' || shop_code FROM movement WHERE kind = 'fee'"), "-50 panezski", "the fees")
	check.Equal(t, text(t, app, "SELECT sum(fees_minor) || ' of ' || sum(paid_out_minor) FROM position"), "50 of 3300", "the positions have")
}

func TestStaffAcceptAPayoutOnScreen(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	gateway.paysAs("p/1 & co", "12.00", "0.17", "11.83", "panezski", reference)
	read(t, app)
	staff := app.NewPerson(t).SignInStaff(t)
	path := "/staff/payouts/" + text(t, app, "SELECT number::text FROM payout")
	staff.Visit(t, "/staff/payouts").Has("$12.00", "Panezski", "what it holds comes to 11.00 AUD here")
	page := staff.Visit(t, path)
	page.Has("$12.00 to Panezski", "p/1 & co", "Accept it as it is")
	seen := regexp.MustCompile(`name="seen" value="([0-9]+)"`).FindStringSubmatch(page.Body)
	if seen == nil {
		t.Fatal("the form lacks the finding that was seen")
	}
	decide := func(decision, reason, seen string) int {
		return staff.Post(t, path, map[string][]string{"decision": {decision}, "reason": {reason}, "seen": {seen}}).Status
	}
	for _, tt := range []struct {
		decision, reason, seen string
		want                   int
	}{
		{"", "rang them", seen[1], 422},
		{"accepted", " ", seen[1], 422},
		{"accepted", "rang them", "1", 409}, // another finding came in between
		{"accepted", "rang them", seen[1], 303},
		{"accepted", "rang them", seen[1], 409}, // accepted twice
	} {
		check.Equal(t, decide(tt.decision, tt.reason, tt.seen), tt.want, "%+v answers", tt)
	}
	check.Equal(t, text(t, app, "SELECT string_agg(concat_ws(' ', action, subject, reason), '; ') FROM audit WHERE action LIKE '%payout'"), "accept payout p/1 & co rang them",
		"the audit log")
	staff.Visit(t, path).Has("Accepted", "accepted it", "rang them").HasNot("Record decision")
	staff.Visit(t, "/staff/payouts").Has("No payout is in doubt")
}
