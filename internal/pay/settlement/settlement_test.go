package settlement_test

import (
	"errors"
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
	"forecourt/internal/kit/must"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
)

const (
	approves = "4111111111111111"
	disputes = "4000000000002685"
)

// pay makes an order of $11.00, pays it and returns the transaction and the charge's reference.
func pay(t *testing.T, app *apptest.App, pan string) (trx, reference string) {
	t.Helper()
	id := app.Order(t)
	c, problems := payment.CardInput{Name: "Pat", Expiry: "12/39", Number: card.Type(pan), CVC: card.Type("123")}.Check(time.Now())
	must.Equal(t, len(problems), 0, "Check, %v", problems)
	attempt, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", c)
	if err != nil || attempt.State != "approved" {
		t.Fatal(attempt.State, err)
	}
	return id, attempt.ID.String()
}

// read imports the disputes and payouts of the gateway's ledger.
func read(t *testing.T, app *apptest.App) {
	t.Helper()
	must.NoError(t, errors.Join(app.Settlement.ImportDisputes(t.Context()), app.Settlement.ImportPayouts(t.Context())))
}

// text reads a string from the database.
func text(t *testing.T, app *apptest.App, query string, args ...any) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, query, args...)
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
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
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
	must.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	rows, err := db.New(tx).DisputeSet(t.Context(), db.DisputeSetParams{
		AttemptID: uuid.MustParse(reference), AmountMinor: 1100, Currency: "AUD", State: state.DisputeOpened, HappenedAt: time.Now(),
	})
	if err != nil || rows != 1 {
		t.Fatal(rows, err)
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
	must.NoError(t, tx.Commit(t.Context()))
	check.ErrorIs(t, <-refund, payment.ErrDisputed, "the refund")
	check.Equal(t, text(t, app, "SELECT refunded_minor || ' in ' || (SELECT count(*) FROM refund) FROM transaction WHERE id = $1", trx), "0 in 0",
		"refunded … refunds")
}

// An entry that the books cannot hold must not stop the entries after it.
func TestADisputeWithoutMoneyDoesNotStopOthers(t *testing.T) {
	t.Parallel()
	var entries []string
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/pay" {
			fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-%d"}`, time.Now().UnixNano())
			return
		}
		fmt.Fprintf(w, `{"entries":[%s],"kinds":["dispute"]}`, strings.Join(entries, ","))
	})})
	_, nothing := pay(t, app, approves)
	trx, all := pay(t, app, approves)
	for reference, amount := range map[string]string{nothing: "0.00", all: "11.00"} {
		entries = append(entries, fmt.Sprintf(`{"kind":"dispute","state":"opened","reference":"%s","amount":"%s","currency":"AUD","at":"%s"}`, reference, amount, time.Now().UTC().Format(time.RFC3339)))
	}
	must.NoError(t, app.Settlement.ImportDisputes(t.Context()))
	check.Equal(t, text(t, app, "SELECT string_agg(transaction_id, ' ') FROM dispute"), trx, "the disputed transactions")
	check.Equal(t, text(t, app, "SELECT string_agg(reference || ': ' || problem, ' ') FROM unmatched_movement"), nothing+": a dispute about no money",
		"the listed problem")
}

func TestEachMovementIsSettledInOnePayout(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	given, _ := pay(t, app, approves)
	_, lost := pay(t, app, disputes)
	pay(t, app, disputes) // stays open, so that its charge alone is paid out
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: given, Amount: 100, By: "test"})
	must.NoError(t, err)
	app.Acquirer(t, "/sandbox/payout", nil)
	read(t, app)
	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": lost, "state": "lost"})
	app.Acquirer(t, "/sandbox/payout", nil)
	read(t, app)
	read(t, app)
	// 1.5 % of 11.00 is 16.5 cents, rounded half up, for each of three payments.
	const want = "panezski AUD t 3200 51 3149 3200; panezski AUD t -1100 0 -1100 -1100"
	check.Equal(t, text(t, app, `SELECT string_agg(concat_ws(' ', shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, held_minor), '; ' ORDER BY paid_at) FROM payout`), want,
		"the payouts")
	const lines = "capture 3; dispute 1; refund 1"
	check.Equal(t, text(t, app, "SELECT string_agg(kind || ' ' || n, '; ' ORDER BY kind) FROM (SELECT kind, count(*) AS n FROM payout_line GROUP BY kind) l"), lines,
		"the payouts hold")
	if found, err := app.Settlement.Findings(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("findings are %v, %v; want none", found, err)
	}
}

// payer is a gateway that charges and lists the payouts that a test adds.
type payer struct{ payouts []string }

func (g *payer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/api/pay":
		fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-%d"}`, time.Now().UnixNano())
	case r.URL.Query().Get("kinds") == "payout":
		fmt.Fprintf(w, `{"entries":[%s],"kinds":["capture","refund","payout"]}`, strings.Join(g.payouts, ","))
	default:
		fmt.Fprint(w, `{"entries":[],"kinds":["capture","refund","payout"]}`)
	}
}

// pays lists a payout of one reference.
func (g *payer) pays(id, gross, net, merchant, reference string) {
	g.payouts = append(g.payouts, fmt.Sprintf(`{"kind":"payout","id":"%s","merchantId":"%s","testMode":true,"currency":"aud","gross":"%s","fees":"0.17","net":"%s","references":["%s"],"at":"%s"}`,
		id, merchant, gross, net, strings.ToUpper(reference), time.Now().UTC().Format(time.RFC3339)))
}

func TestMistakesInPayoutsAreFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		list func(g *payer, reference string)
		want string
	}{
		"nothing": {func(g *payer, reference string) { g.pays("p1", "11.00", "10.83", "panezski", reference) }, ""},
		"a charge held twice": {func(g *payer, reference string) {
			g.pays("p1", "11.00", "10.83", "panezski", reference)
			g.pays("p2", "11.00", "10.83", "panezski", reference)
		}, "once more"},
		"another gross":       {func(g *payer, reference string) { g.pays("p1", "12.00", "11.83", "panezski", reference) }, "gross 12.00, fees 0.17, net 11.83; what it holds comes to 11.00 AUD here"},
		"another net":         {func(g *payer, reference string) { g.pays("p1", "11.00", "9.83", "panezski", reference) }, "net 9.83"},
		"another business":    {func(g *payer, reference string) { g.pays("p1", "11.00", "10.83", "sabona", reference) }, "which is not a movement of sabona in AUD here"},
		"an unknown movement": {func(g *payer, _ string) { g.pays("p1", "11.00", "10.83", "panezski", "nobody-1") }, "it holds nobody-1, which is not a movement of panezski"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gateway := &payer{}
			app := apptest.New(t, apptest.Options{Gateway: gateway})
			_, reference := pay(t, app, approves)
			tt.list(gateway, reference)
			read(t, app)
			found, err := app.Settlement.Findings(t.Context())
			if said := fmt.Sprint(found); err != nil || tt.want == "" && len(found) > 0 || !strings.Contains(said, tt.want) {
				t.Errorf("findings are %s, %v; want %q", said, err, tt.want)
			}
		})
	}
}

func TestADisputeInAnotherCurrencyIsNotAddedToAPayout(t *testing.T) {
	t.Parallel()
	gateway := &payer{}
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	_, reference := pay(t, app, approves)
	gateway.pays("p1", "11.00", "10.83", "panezski", reference)
	read(t, app)
	dbtest.Exec(t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at, ended_at)
		SELECT id, transaction_id, shop_code, 700, 'GBP', test_mode, 'won', now(), now() FROM attempt`)
	gateway.pays("p2", "-13.00", "-13.17", "panezski", reference)
	gateway.pays("p3", "13.00", "12.83", "panezski", reference)
	read(t, app)
	const want = "p1 1100 1100, p2 -1300 0, p3 1300 0"
	check.Equal(t, text(t, app, "SELECT string_agg(concat_ws(' ', id, gross_minor, held_minor), ', ' ORDER BY id) FROM payout"), want,
		"the payouts hold")
	check.Equal(t, text(t, app, "SELECT string_agg(kind, ' ' ORDER BY payout_id) FROM payout_line"), "capture dispute returned", "their lines")
}

func TestAMovementMissingFromPayoutsIsListedAfterFiveDays(t *testing.T) {
	t.Parallel()
	gateway := &payer{}
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	_, young := pay(t, app, approves)
	trx, old := pay(t, app, approves)
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET created_at = now() - interval '121 hours', settled_at = now() - interval '121 hours' WHERE id = $1", old)
	read(t, app)
	found, err := app.Settlement.Findings(t.Context())
	if said := fmt.Sprint(found); err != nil || len(found) != 1 || !strings.Contains(said, "capture") || !strings.Contains(said, trx) || !strings.Contains(said, "is in no payout") {
		t.Errorf("findings are %s, %v; want the capture", said, err)
	}
	gateway.pays("late", "11.00", "10.83", "panezski", old)
	gateway.pays("in time", "11.00", "10.83", "panezski", young)
	read(t, app)
	if found, err := app.Settlement.Findings(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("after the payout, findings are %v, %v", found, err)
	}
}

func TestAGatewayWithoutDisputesAndPayoutsHasNoFindings(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/pay" {
			fmt.Fprint(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T"}`)
			return
		}
		fmt.Fprint(w, `{"entries":[]}`)
	})})
	_, old := pay(t, app, approves)
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET settled_at = now() - interval '10 days' WHERE id = $1", old)
	read(t, app)
	if found, err := app.Settlement.Findings(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("findings are %v, %v; want none", found, err)
	}
}

func TestAPayoutInDoubtCanBeAccepted(t *testing.T) {
	t.Parallel()
	gateway := &payer{}
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	_, reference := pay(t, app, approves)
	gateway.pays("p1", "12.00", "11.83", "panezski", reference)
	found := func(want string) {
		t.Helper()
		read(t, app)
		all, err := app.Settlement.Findings(t.Context())
		if said := fmt.Sprint(all); err != nil || (want == "") != (len(all) == 0) || !strings.Contains(said, want) {
			t.Errorf("findings are %s, %v; want %q", said, err, want)
		}
	}
	found("gross 12.00")
	must.NoError(t, app.Settlement.AcceptPayout(t.Context(), "p1", "Kim", "the bank told us"))
	found("")
	for _, id := range []string{"p1", "p2"} {
		check.ErrorIs(t, app.Settlement.AcceptPayout(t.Context(), id, "Kim", "x"), settlement.ErrNoDoubt, "accepting %s", id)
	}
	check.Equal(t, text(t, app, "SELECT string_agg(concat_ws(' ', actor, action, subject, reason), '; ') FROM audit WHERE action LIKE '%payout'"), "Kim accept payout p1 the bank told us",
		"the audit log")
	gateway.pays("p1", "12.00", "11.83", "panezski", reference)
	found("")
	gateway.pays("p1", "13.00", "12.83", "panezski", reference)
	found("but its id came again with gross 13.00, fees 0.17, net 12.83 AUD to panezski")
	must.NoError(t, app.Settlement.AcceptPayout(t.Context(), "p1", "Kim", "the bank told us"))
	found("")
}

func TestStaffAcceptAPayoutOnScreen(t *testing.T) {
	t.Parallel()
	gateway := &payer{}
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	_, reference := pay(t, app, approves)
	gateway.pays("p/1 & co", "12.00", "11.83", "panezski", reference)
	read(t, app)
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	const path = "/staff/payouts/cC8xICYgY28"
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
