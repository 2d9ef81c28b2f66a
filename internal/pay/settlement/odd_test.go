package settlement_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// books is a gateway that charges, makes every refund, also of a disputed charge, and lists what a test adds.
type books struct {
	disputes, payouts []string
	kinds             string       // that its ledger has, as JSON; "" means all
	charges           string       // amount of each charge; "" if it does not say
	empty             atomic.Int32 // how many of the next readings of disputes list nothing
	away              atomic.Bool  // whether it makes no refunds now
	refunds           atomic.Int32 // that it made
}

// site returns a site with such a gateway.
func site(t *testing.T) (*apptest.App, *books) {
	t.Helper()
	g := &books{kinds: `["capture","refund","open","dispute","payout"]`}
	return apptest.New(t, apptest.Options{Gateway: g}), g
}

func (g *books) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch kinds := r.URL.Query().Get("kinds"); {
	case r.URL.Path == "/api/pay":
		fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-%s","amount":"%s","currency":"AUD"}`, uuid.New(), cmp.Or(g.charges, "11.00"))
	case r.URL.Path == "/api/refund" && g.away.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/api/refund":
		g.refunds.Add(1)
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	default:
		listed := map[string][]string{"dispute": g.disputes, "payout": g.payouts}[kinds]
		if kinds == "dispute" && g.empty.Add(-1) >= 0 {
			listed = nil
		}
		fmt.Fprintf(w, `{"entries":[%s],"kinds":%s}`, strings.Join(listed, ","), g.kinds)
	}
}

// disputed lists a dispute. amount is as the gateway writes it.
func (g *books) disputed(reference, state, amount string, at time.Time) {
	g.disputes = append(g.disputes,
		fmt.Sprintf(`{"kind":"dispute","state":"%s","reference":"%s","merchantId":"panezski","testMode":true,"amount":%s,"currency":"AUD","at":"%s"}`,
			state, reference, amount, at.UTC().Format(time.RFC3339)))
}

// pays lists a payout of references, without fees.
func (g *books) pays(id, gross string, references ...string) {
	g.paysAs(id, gross, "0.00", gross, "panezski", references...)
}

// payout returns a payout without fees as the ledger has it.
func payout(id, gross, merchant, at, reference string) string {
	return fmt.Sprintf(`{"kind":"payout","id":"%s","merchantId":"%s","testMode":true,"currency":"aud","gross":"%s","fees":"0.00","net":"%s","references":["%s"],"at":"%s"}`,
		id, merchant, gross, gross, reference, at)
}

func (g *books) paysAs(id, gross, fees, net, merchant string, references ...string) {
	g.payouts = append(g.payouts, fmt.Sprintf(`{"kind":"payout","id":"%s","merchantId":"%s","testMode":true,"currency":"aud","gross":"%s","fees":"%s","net":"%s","references":["%s"],"at":"%s"}`,
		id, merchant, gross, fees, net, strings.Join(references, `","`), time.Now().UTC().Format(time.RFC3339)))
}

// One answer that is empty by mistake withdraws nothing: it would hold every payment that it covers.
func TestAnEntryIsWithdrawnOnceTwoReadingsLackIt(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	_, reference := pay(t, app, approves)
	g.disputed(reference, "opened", `"11.00"`, time.Now().Add(-time.Hour))
	read(t, app)
	for _, tt := range []struct{ empty, disputes int }{{0, 1}, {1, 1}, {2, 0}} {
		g.empty.Store(int32(tt.empty))
		check.Must(t, app.Settlement.Read(t.Context(), "", time.Now().Add(-2*time.Hour), time.Now()))
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM dispute"), tt.disputes, "disputes after %d empty answers", tt.empty)
	}
}

func TestAnOddEntryKeepsNoOtherFromBeingRead(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	refund := func(trx string) error {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
		return err
	}
	odd := map[string][2]string{
		"a state that nobody knows": {"warned", `"11.00"`}, "a negative amount": {"opened", `"-11.00"`}, "no amount": {"opened", `null`}, "three decimals": {"opened", `"1.100"`},
	}
	trxs := map[string]string{}
	for name, entry := range odd {
		trx, reference := pay(t, app, approves)
		trxs[name] = trx
		g.disputed(reference, entry[0], entry[1], time.Now())
	}
	for name, fields := range map[string]string{
		"an amount that is an object": `"amount":{},"state":"opened"`, "a due time in words": `"amount":"11.00","state":"opened","due":"soon"`,
		"a time in words": `"amount":"11.00","state":"opened","AT":"now"`, "a state that is a number": `"amount":"11.00","state":[7]`, "a kind that is a number": `"amount":"11.00","kind":[7]`,
	} {
		trx, reference := pay(t, app, approves)
		trxs[name] = trx
		g.disputes = append(g.disputes, fmt.Sprintf(`{"kind":"dispute","reference":"%s",%s}`, reference, fields))
	}
	spelled, reference := pay(t, app, approves)
	trxs["a reference without dashes"] = spelled
	g.disputed(strings.ReplaceAll(strings.ToUpper(reference), "-", ""), "warned", `"11.00"`, time.Now())
	g.disputes = append(g.disputes, "7")
	g.disputed(`x\u0000y`, "opened", `"11.00"`, time.Now())
	held, reference := pay(t, app, approves)
	g.disputed(reference, "opened", `"11.00"`, time.Now())
	_, paidOut := pay(t, app, approves)
	g.pays("", "11.00", paidOut)
	g.pays("p1", "eleven", paidOut)
	g.pays("p2", "11.00", paidOut)
	read(t, app)
	read(t, app)
	check.Equal(t, text(t, app, "SELECT (SELECT count(*) FROM dispute) || ' ' || (SELECT string_agg(id, ' ') FROM payout)"), "1 p2",
		"disputes and payouts")
	check.Equal(t, text(t, app, `SELECT string_agg(kind || ' ' || n, ', ' ORDER BY kind) FROM (
		SELECT kind, count(*) AS n FROM ledger_entry WHERE odd <> '' GROUP BY kind) m`), "dispute 11, payout 2", "odd")
	cases, _, err := app.Settlement.Cases(t.Context(), 1)
	check.Must(t, err)
	check.Equal(t, len(cases), 14, "cases for a person")
	check.ErrorIs(t, refund(held), payment.ErrDisputed, "a readable dispute: refunded")
	for name, trx := range trxs {
		check.ErrorIs(t, refund(trx), payment.ErrInQuestion, "%s: refunded", name)
	}
}

func TestAWonDisputeOfAnUndecidedPaymentHoldsItNoLonger(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	trx, reference := pay(t, app, approves)
	holds := func() bool { return holds(t, app, trx) }
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET state = 'manual', settled_at = NULL WHERE id = $1", reference)
	g.disputed(reference, "opened", `"11.00"`, time.Now().Add(-time.Hour))
	read(t, app)
	if !holds() {
		t.Error("an open dispute holds nothing")
	}
	g.disputed(reference, "won", `"11.00"`, time.Now())
	read(t, app)
	read(t, app) // hears of the opening once more
	if holds() {
		t.Error("a dispute that was won still holds the payment")
	}
}

func TestADisputeThatIsOpenedAgainHoldsItsPaymentAgain(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	trx, reference := pay(t, app, approves)
	stands := func() string {
		t.Helper()
		return text(t, app, "SELECT state || CASE WHEN ended_at IS NULL THEN '' ELSE ' ended' END FROM dispute")
	}
	start := time.Now().Add(-5 * time.Hour)
	for i, tt := range []struct{ state, want string }{{"opened", "opened"}, {"won", "won ended"}, {"opened", "opened"}, {"lost", "lost ended"}, {"opened", "lost ended"}} {
		g.disputed(reference, tt.state, `"11.00"`, start.Add(time.Duration(i)*time.Hour))
		read(t, app)
		read(t, app)
		check.Equal(t, stands(), tt.want, "after %d entries, %s", i+1, tt.state)
		check.Equal(t, holds(t, app, trx), tt.want != "won ended", "after %d entries, %s: it holds the payment", i+1, tt.state)
	}
	check.Equal(t, text(t, app, "SELECT count(*)::text FROM river_job WHERE args ->> 'key' LIKE 'dispute/%'"), "4", "letters")
}

func TestAnOddEntryAboutAWonDisputeHoldsItsPayment(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	trx, reference := pay(t, app, approves)
	start := time.Now().Add(-5 * time.Hour)
	for i, tt := range []struct {
		state string
		holds bool
	}{{"opened", true}, {"won", false}, {"arbitration", true}, {"opened", true}, {"won", false}} {
		g.disputed(reference, tt.state, `"11.00"`, start.Add(time.Duration(i)*time.Hour))
		read(t, app)
		read(t, app)
		check.Equal(t, holds(t, app, trx), tt.holds, "after %d entries, %s: it holds the payment", i+1, tt.state)
	}
}

func TestADisputeNamesItsBusiness(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ fields, want string }{
		"nobody":              {`"testMode":true`, "0 dispute, 1 case"},
		"the business":        {`"merchantId":"panezski","testMode":true`, "1 dispute, 0 case"},
		"another business":    {`"merchantId":"sabona","testMode":true`, "0 dispute, 1 case"},
		"more than was paid":  {`"merchantId":"panezski","testMode":true,"amount":"11.01"`, "1 dispute, 1 case"},
		"real money, wrongly": {`"merchantId":"panezski","testMode":false`, "0 dispute, 1 case"},
	} {
		app, g := site(t)
		trx, reference := pay(t, app, approves)
		g.disputes = []string{fmt.Sprintf(`{"kind":"dispute","state":"opened","reference":"%s","amount":"11.00","currency":"AUD","at":"%s",%s}`,
			reference, time.Now().UTC().Format(time.RFC3339), tt.fields)}
		read(t, app)
		check.Equal(t, text(t, app, `SELECT (SELECT count(*) FROM dispute) || ' dispute, ' ||
			(SELECT count(*) FROM transaction WHERE differences <> '[]') || ' case'`), tt.want,
			"it names %s", name)
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
		if !errors.Is(err, payment.ErrDisputed) && !errors.Is(err, payment.ErrInQuestion) {
			t.Errorf("it names %s: refunded: %v", name, err)
		}
	}
}

func TestADisputeThatBecomesKnownLaterIsFoundInItsPayout(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	_, reference := pay(t, app, approves)
	kinds := func() string {
		t.Helper()
		return text(t, app, "SELECT string_agg(kind, ' ' ORDER BY payout) FROM payout_line WHERE reference = $1", reference)
	}
	g.pays("p1", "11.00", reference)
	g.pays("p2", "-11.00", reference)
	g.pays("p3", "11.00", reference)
	read(t, app)
	check.Equal(t, kinds(), "capture again again", "before the dispute is known")
	g.disputed(reference, "lost", `"11.00"`, time.Now().Add(-time.Hour))
	read(t, app)
	check.Equal(t, kinds(), "capture taken again", "once it is lost")
	g.disputed(reference, "won", `"11.00"`, time.Now())
	read(t, app)
	check.Equal(t, kinds(), "capture taken returned", "once it is won")
	findings(t, app)
}

func TestADisputeOfNoChargeOfOursHoldsThePaymentThatItNames(t *testing.T) {
	t.Parallel()
	for name, names := range map[string]string{
		"its transaction": `"trxId":"TRX"`, "the gateway's id": `"transactionid":"ID"`,
	} {
		app, g := site(t)
		trx, _ := pay(t, app, approves)
		id := text(t, app, "SELECT transactionid FROM attempt")
		names = strings.NewReplacer("TRX", trx, "ID", id).Replace(names)
		g.disputes = []string{fmt.Sprintf(`{"kind":"dispute","state":"opened","reference":"case-77",%s,"merchantId":"panezski","testMode":true,
			"amount":"11.00","currency":"AUD","at":"%s"}`, names, time.Now().UTC().Format(time.RFC3339))}
		read(t, app)
		check.Equal(t, holds(t, app, trx), true, "a dispute that names %s holds the payment", name)
	}
}

// holds reports whether money of a transaction is in question.
func holds(t *testing.T, app *apptest.App, trx string) bool {
	t.Helper()
	return text(t, app, "SELECT held(id, differences) FROM transaction WHERE id = $1", trx) != ""
}
