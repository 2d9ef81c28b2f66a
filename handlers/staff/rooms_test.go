package staff_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

func TestStaffFindTheirWay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	staff := app.NewPerson(t).SignInStaff(t)
	dbtest.Exec(t, app.Pool, `DELETE FROM shop_account WHERE shop_code = 'sabona';
		INSERT INTO go_live (shop_code, asked_by) VALUES ('sabona', 'ann@example.com') ON CONFLICT (shop_code) DO UPDATE SET state = 'waiting'`)
	rooms := map[string]string{
		"/staff":       "Waiting",
		"/staff/forms": "Forms", "/staff/compliance": "Identities", "/staff/accounts": "Gateway accounts", "/staff/live": "Going live",
		"/staff/payments": "Payments", "/staff/refunds": "Refunds", "/staff/payouts": "Payouts", "/staff/disputes": "Disputes", "/staff/unmatched": "Unmatched",
		"/staff/site": "Navigation and slides", "/staff/holidays": "Public holidays", "/staff/fees": "Fees",
		"/staff/bank-accounts": "Bank accounts",
	}
	below := map[string]string{"/staff/accounts/sabona": "Gateway accounts", "/staff/live/sabona": "Going live",
		"/staff/site/nav/new": "Navigation and slides"}
	for path, name := range rooms {
		below[path] = name
	}
	for path, name := range below {
		v := staff.Visit(t, path)
		bar := v.Find("nav", "aria-label=Staff")
		if bar == nil {
			t.Errorf("%s has no bar", path)
			continue
		}
		var current []string
		led := map[string]string{}
		for node := range bar.Descendants() {
			if node.Data != "a" {
				continue
			}
			text := textOf(node)
			for _, a := range node.Attr {
				switch a.Key {
				case "href":
					led[a.Val] = text
				case "aria-current":
					current = append(current, text)
				}
			}
		}
		if len(current) != 1 || !strings.HasPrefix(current[0], name) || len(led) != len(rooms) {
			t.Errorf("%s: the current entry is %q, want %s, of %v", path, current, name, led)
		}
		if led["/staff/live"] != "Going live 1" || led["/staff/refunds"] != "Refunds" || !strings.HasPrefix(led["/staff/accounts"], "Gateway accounts ") {
			t.Errorf("%s counts %v", path, led)
		}
	}
	dbtest.Exec(t, app.Pool, `INSERT INTO go_live (shop_code, asked_by, asked_at) VALUES ('moollar', 'ann@example.com', now() - interval '3 days')
		ON CONFLICT (shop_code) DO UPDATE SET state = 'waiting', asked_at = excluded.asked_at`)
	waits := staff.Visit(t, "/staff").Has("Moollar", "3 days").Body
	if a, b := strings.Index(waits, "/staff/live/moollar"), strings.Index(waits, "/staff/live/sabona"); a < 0 || a > b {
		t.Errorf("what waits longest is not first: Moollar at %d, Sabona at %d", a, b)
	}
	dbtest.Exec(t, app.Pool, "DELETE FROM go_live WHERE shop_code = 'moollar'")
	staff.Visit(t, "/").Follow("See what waits").Has("Sabona", "Going live", "1 minute").
		Type("find", "SABON").Press("Find").Has("Businesses found", "No account").HasNot("Moollar")
	staff.Visit(t, "/staff?find=nobody").Has("No business has this in its name or code.").HasNot("Businesses found")
}

func textOf(n *html.Node) string {
	var all []string
	for node := range n.Descendants() {
		if node.Type == html.TextNode {
			all = append(all, strings.Fields(node.Data)...)
		}
	}
	return strings.Join(all, " ")
}

// TestStaffConnectABusinessToTheGateway follows a business from its first account to wallets on its payment page.
func TestStaffConnectABusinessToTheGateway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	staff := app.NewPerson(t).SignInStaff(t)
	app.SignIn(t)
	session := func() int {
		return app.PostJSON(t, "/api/wallet/session",
			map[string]any{"validationURL": "https://apple-pay-gateway.apple.com/paymentservices/startSession", "merchantId": "sabona"}).Status
	}
	if got := session(); got == http.StatusOK {
		t.Fatalf("a wallet without an account: %d", got)
	}
	app.Visit(t, "/desk/sabona").Has("Account for your payments", "It is needed to go live.").HasNot("wallet")

	if staff.Visit(t, "/staff/accounts").Has("Sabona", "No account").Find("a", "href=/staff/accounts/sabona") == nil {
		t.Error("the list does not link to the business")
	}
	v := staff.Visit(t, "/staff/accounts/sabona")
	v.Type("mid", "MID-7731").Type("password", "Canary-pwd-1").Press("Test and save").Has("The gateway accepted the account for test mode.",
		"ends in 7731", "stored encrypted")
	check.Lacks(t, v.Body, "Canary-pwd-1", "the account is shown in full")
	check.Lacks(t, v.Body, "MID-7731", "the account is shown in full")
	check.Equal(t, session(), http.StatusOK, "a wallet with an account")
	wrong := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"test"}, "do": {"keep"}, "mid": {"MID-7731"},
		"password": {"Canary-pwd-2"}})
	wrong.Want(t, http.StatusUnprocessableEntity, "a wrong password", "does not accept this account", `value="MID-7731"`)
	check.Lacks(t, wrong.Body, "Canary-pwd-2", "a wrong password")
	made := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"live"}, "do": {"generate"}})
	code := regexp.MustCompile(`<code>([^<]+)</code>`).FindAllStringSubmatch(made.Body, -1)
	made.Must(t, http.StatusOK, "the new codes")
	check.MustEqual(t, len(code), 2, "the new codes")
	if again := staff.Get(t, "/staff/accounts/sabona"); strings.Contains(again.Body, code[1][1]) || strings.Contains(again.Body, code[0][1]) {
		t.Error("the page shows the codes again")
	}
	app.Visit(t, "/desk/sabona").Has("Account for your payments : done")

	removed := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"test"}, "do": {"remove"}})
	if got := session(); removed.Status != http.StatusSeeOther || got == http.StatusOK {
		t.Errorf("removing the account: %d, then the wallet answers %d", removed.Status, got)
	}
	audit := dbtest.Value[string](t, app.Pool,
		"SELECT string_agg(actor || ': ' || action || ' ' || reason, '; ' ORDER BY id) FROM audit WHERE subject = 'gateway account sabona'")
	want := "staff@forecourt.test: gateway account set test, merchant id ending in 7731; staff@forecourt.test: gateway account set live, merchant id ending in " +
		code[0][1][len(code[0][1])-4:] + "; staff@forecourt.test: gateway account removed test"
	check.Equal(t, audit, want, "the audit log holds")
}

func TestStaffCloseADisputeThatMatchesNoPayment(t *testing.T) {
	t.Parallel()
	var entry string
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ledger":
			fmt.Fprintf(w, `{"entries":[%s],"kinds":["capture","refund","dispute"]}`, entry)
		case "/api/refund":
			fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
		default:
			fmt.Fprint(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1"}`)
		}
	})})
	app.SignInStaff(t)
	app.Visit(t, "/staff/unmatched").Has("Nothing is unmatched")
	trx := app.Order(t)
	app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111",
		"exp": "12/34", "cvc": "123"})
	attempt := dbtest.Value[string](t, app.Pool, "SELECT approved_attempt::text FROM transaction WHERE id = $1", trx)
	entry = fmt.Sprintf(`{"kind":"dispute","state":"warned","reference":"%s","trxId":"%s","merchantId":"panezski","testMode":true,
		"amount":"11.00","currency":"AUD","at":"%s"}`, attempt, trx, time.Now().UTC().Format(time.RFC3339))
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	refund := func() error {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
		return err
	}
	check.Error(t, refund(), "the payment is refunded while nobody knows how its dispute stands")
	page := "/staff/unmatched/" + trx
	list := app.Visit(t, "/staff/unmatched").Has("Open 1", "Panezski", "$11.00", "Dispute: it is neither opened nor won nor lost")
	check.Equal(t, list.Find("a", "href="+page) != nil, true, "the list links to the case")
	app.Visit(t, page).Has("$11.00 at Panezski", trx, "The payment can be neither paid nor refunded",
		"Accept the difference").HasNot("Book it")
	seen, err := app.Payments.MoneyCase(t.Context(), trx)
	check.Must(t, err)
	says := seen.Seen()
	app.Post(t, page, url.Values{"decision": {"accept"}, "says": {says}}).Want(t, http.StatusUnprocessableEntity, "accepted without a reason")
	app.Post(t, page, url.Values{"decision": {"book"}, "reason": {"x"}, "says": {says}}).Want(t, http.StatusUnprocessableEntity, "booked")
	for _, want := range []int{http.StatusSeeOther, http.StatusConflict} {
		app.Post(t, page, url.Values{"decision": {"accept"}, "reason": {"The bank withdrew it"}, "says": {says}}).Want(t, want, "accepted")
	}
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	app.Visit(t, "/staff/unmatched").Has("Nothing is unmatched")
	app.Visit(t, page).Has("Nothing differs", "accepted the difference", "The bank withdrew it").HasNot("can be neither paid nor refunded")
	check.NoError(t, refund(), "after it was accepted")
}

func TestMain(m *testing.M) { dbtest.Main(m) }
