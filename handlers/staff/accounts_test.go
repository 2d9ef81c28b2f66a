package staff_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// TestStaffConnectABusinessToTheGateway follows a business from its first account to wallets on its payment page.
func TestStaffConnectABusinessToTheGateway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	app.SignIn(t)
	session := func() int {
		return app.PostJSON(t, "/api/wallet/session", map[string]any{"validationURL": "https://apple-pay-gateway.apple.com/paymentservices/startSession", "merchantId": "sabona"}).Status
	}
	if got := session(); got == http.StatusOK {
		t.Fatalf("a wallet without an account: %d", got)
	}
	app.Visit(t, "/desk/sabona").Has("Gateway account", "It is needed to go live.").HasNot("wallet")

	if staff.Visit(t, "/staff/accounts").Has("Sabona", "No account").Find("a", "href=/staff/accounts/sabona") == nil {
		t.Error("the list does not link to the business")
	}
	v := staff.Visit(t, "/staff/accounts/sabona")
	v.Type("mid", "MID-7731").Type("password", "Canary-pwd-1").Press("Test and save").Has("The gateway accepted the account for test mode.", "ends in 7731", "stored encrypted")
	if strings.Contains(v.Body, "Canary-pwd-1") || strings.Contains(v.Body, "MID-7731") {
		t.Error("the account is shown in full")
	}
	check.Equal(t, session(), http.StatusOK, "a wallet with an account")
	wrong := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"test"}, "do": {"keep"}, "mid": {"MID-7731"}, "password": {"Canary-pwd-2"}})
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "does not accept this account") || !strings.Contains(wrong.Body, `value="MID-7731"`) || strings.Contains(wrong.Body, "Canary-pwd-2") {
		t.Errorf("a wrong password: %d", wrong.Status)
	}
	made := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"live"}, "do": {"generate"}})
	code := regexp.MustCompile(`<code>([^<]+)</code>`).FindAllStringSubmatch(made.Body, -1)
	if made.Status != http.StatusOK || len(code) != 2 {
		t.Fatalf("the new codes: %d %v", made.Status, code)
	}
	if again := staff.Get(t, "/staff/accounts/sabona"); strings.Contains(again.Body, code[1][1]) || strings.Contains(again.Body, code[0][1]) {
		t.Error("the page shows the codes again")
	}
	app.Visit(t, "/desk/sabona").Has("The account that your payments go to is connected.")

	removed := staff.Post(t, "/staff/accounts/sabona", url.Values{"mode": {"test"}, "do": {"remove"}})
	if got := session(); removed.Status != http.StatusSeeOther || got == http.StatusOK {
		t.Errorf("removing the account: %d, then the wallet answers %d", removed.Status, got)
	}
	var audit string
	err := app.Pool.QueryRow(t.Context(), "SELECT string_agg(actor || ': ' || action || ' ' || reason, '; ' ORDER BY id) FROM audit WHERE subject = 'gateway account sabona'").Scan(&audit)
	want := "staff@forecourt.test: gateway account set test, merchant id ending in 7731; staff@forecourt.test: gateway account set live, merchant id ending in " +
		code[0][1][len(code[0][1])-4:] + "; staff@forecourt.test: gateway account removed test"
	if err != nil || audit != want {
		t.Errorf("the audit log holds %q, %v", audit, err)
	}
}
