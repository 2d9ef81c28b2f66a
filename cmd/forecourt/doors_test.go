package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

func TestWhereTheDemoIsOnByDefault(t *testing.T) {
	t.Parallel()
	external := map[string]string{"DATABASE_URL": "postgres://u:p@db/x", "FORECOURT_SECRET": strings.Repeat("s", 32)}
	for _, tt := range []struct {
		name     string
		values   map[string]string
		on, open bool
	}{
		{"nothing set", nil, true, false},
		{"its own address", map[string]string{"FORECOURT_ADDR": "[::1]:80", "FORECOURT_URL": "http://localhost:80"}, true, false},
		{"asked for", map[string]string{"FORECOURT_DEMO": "on"}, true, false},
		{"the container", map[string]string{"FORECOURT_ADDR": "0.0.0.0:8080", "FORECOURT_DATA": "/data"}, false, false},
		{"every address", map[string]string{"FORECOURT_ADDR": ":8080"}, false, false},
		{"a name of the machine", map[string]string{"FORECOURT_ADDR": "shop:8080"}, false, false},
		{"behind a proxy", map[string]string{"FORECOURT_URL": "https://pay.example"}, false, false},
		{"behind a proxy with a name that looks like its own", map[string]string{"FORECOURT_URL": "https://localhost.example"}, false, false},
		{"an external database", external, false, false},
		{"spelled out in the container", map[string]string{"FORECOURT_ADDR": "0.0.0.0:8080", "FORECOURT_DEMO": "on"}, true, true},
		{"spelled out behind a proxy", map[string]string{"FORECOURT_URL": "https://pay.example", "FORECOURT_DEMO": "on"}, true, true},
		{"spelled out with an external database", with(external, "FORECOURT_DEMO", "on"), true, true},
	} {
		c, err := readConfig(from(tt.values))
		if err != nil || c.demo != tt.on || c.openDemo() != tt.open {
			t.Errorf("%s: demo %t, open to others %t, %v; want %t, %t", tt.name, c.demo, c.openDemo(), err, tt.on, tt.open)
		}
	}
}

// TestADemoThatIsOffIsShut uses every way in while the demo is on, and tries each again after it was turned off.
func TestADemoThatIsOffIsShut(t *testing.T) {
	t.Parallel()
	values := outside(t, dbtest.URL(t), "FORECOURT_DEMO", "on")
	p := start(t, values, "serve")
	address := p.ready()
	guest, merchant, staff := newCustomer(t, address), newCustomer(t, address), newCustomer(t, address)
	merchant.signIn(demo.Email, demo.Password, "303")
	staff.signIn(demo.StaffEmail, demo.Password, "303")
	const notice = "Demo: anybody can read this"
	for path, c := range map[string]*customer{
		"/": guest, "/nosuch": guest, "/pos/panezski": guest, "/pos/panezski/demo": guest,
		"/pos/panezski/kitchen": merchant, "/staff/forms": staff,
	} {
		check.Contains(t, c.send(http.MethodGet, path, "", "", "200"), notice, "%s does not say that anybody can read the demo", path)
	}
	id := guest.order("panezski")
	live := guest.order("tahbella")
	invitation := `{"email":"` + demo.Email + `","secretKey":"` + demo.InviteKey + `","password":"Blue-kettle-7","userIndex":0}`
	var made struct{ Token string }
	guest.read(guest.send(http.MethodPost, "/onboarding/tokengen/"+demo.InviteID, "application/json", invitation, "200"), &made)
	charge := `{"accountId":"1000000001","storeId":"1","deviceId":"1","currency":"AUD","amount":"1.00","reference":"r1",` +
		`"key":"x","cardholder":"Pat","pan":"4111111111111111","exp":"11/33","cvc":"123"}`
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)

	values["FORECOURT_DEMO"] = "off"
	p = start(t, values, "serve")
	address = p.ready()
	guest.site, merchant.site, staff.site = address, address, address
	for _, tt := range []struct {
		name         string
		who          *customer
		method, path string
		media, body  string
		want         string
	}{
		{"the menu", guest, http.MethodGet, "/pos/panezski", "", "", "404"},
		{"an order of it", guest, http.MethodGet, "/pos/panezski/" + id, "", "", "404"},
		{"a payment of it", guest, http.MethodPost, "/api/pay", "application/json", guest.body(id, "panezski"), "404"},
		{"a live payment", guest, http.MethodPost, "/api/pay", "application/json", guest.body(live, "tahbella"), "404"},
		{
			"a new order", guest, http.MethodPost, "/api/pos", "application/json",
			`{"merchantId":"panezski","order":[{"name":"Butter Croissant","qty":1}]}`, "404",
		},
		{"the invitation", guest, http.MethodGet, "/onboarding/tokengen/" + demo.InviteID, "", "", "404"},
		{"the short link", guest, http.MethodGet, "/s/" + demo.Shortcode, "", "", "404"},
		{"the short link in JSON", guest, http.MethodGet, "/api/shortcode/" + demo.Shortcode, "", "", "404"},
		{"the test gateway", guest, http.MethodPost, "/gateway/" + demo.MerchantUUID + "/pay", "application/json", charge, "404"},
		{"the kitchen with a session from before", merchant, http.MethodGet, "/pos/panezski/kitchen", "", "", "200"},
		{"the record with a session from before", merchant, http.MethodGet, "/compliance/" + demo.ComplianceRecord, "", "", "200"},
		{"the desk with a session from before", staff, http.MethodGet, "/staff/forms", "", "", "200"},
	} {
		text := tt.who.send(tt.method, tt.path, tt.media, tt.body, tt.want)
		if tt.want == "200" && !strings.Contains(text, "Forgot your password?") || strings.Contains(text, notice) {
			t.Errorf("%s still works: %.300s", tt.name, text)
		}
	}
	guest.signIn(demo.Email, demo.Password, "422")
	guest.signIn(demo.StaffEmail, demo.Password, "422")
	check.Lacks(t, guest.send(http.MethodGet, "/", "", "", "200"), "Moollar", "the start page shows a demo business")
	program := newCustomer(t, address)
	program.bearer = made.Token
	program.send(http.MethodPost, "/api/batch", "application/json", "[]", "401")
	o := shell{t, values}
	o.says(1, "no account with that email", "user", "password", demo.StaffEmail)
	o.says(1, "no account with that email", "user", "staff", demo.Email)
	o.says(0, "loaded but disabled", "demo")
	guest.signIn(demo.StaffEmail, demo.Password, "422")
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)

	values["FORECOURT_DEMO"] = "on"
	p = start(t, values, "serve")
	guest.site = p.ready()
	guest.signIn(demo.StaffEmail, demo.Password, "303")
	guest.send(http.MethodGet, "/pos/panezski/"+id, "", "", "200")
	p.end()
}

func TestALinkMakesTheFirstStaffAccount(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t)
	values := outside(t, database)
	p := start(t, values, "serve")
	_, older, _ := strings.Cut(p.until("/first/"), "/first/")
	p.end()
	p = start(t, values, "serve")
	site := p.ready()
	check.Contains(t, p.until("  Create"), "Create the first staff account, within an hour:", "it prints")
	link := strings.TrimSpace(p.until("/first/"))
	if older == "" || !strings.HasPrefix(link, site+"/first/") {
		t.Fatalf("links %q, %q", older, link)
	}
	older = site + "/first/" + older
	owner, thief := newCustomer(t, site), newCustomer(t, site)
	check.Contains(t, thief.send(http.MethodGet, "/pos/panezski", "", "", "404"), "Invalid merchant", "a demo business exists")
	thief.send(http.MethodGet, "/dev/outbox", "", "", "404") // open in the demo alone
	form := func(email, password string) string {
		return url.Values{"email": {email}, "password": {password}, "confirm": {password}, "staff": {"1"}}.Encode()
	}
	thief.send(http.MethodGet, older, "", "", "410")
	thief.send(http.MethodPost, older, formType, form("eve@example.com", "Eves-pass-1"), "410")
	thief.send(http.MethodPost, "/first/x", formType, form("eve@example.com", "Eves-pass-1"), "410")
	thief.send(http.MethodPost, "/signup", formType, form("eve@example.com", "Eves-pass-1"), "303")
	thief.send(http.MethodGet, "/staff/forms", "", "", "404")

	owner.send(http.MethodGet, link, "", "", "200")
	conn := connect(t, database)
	dbtest.Exec(t, conn, "UPDATE first_staff SET expires_at = expires_at - interval '1 hour'")
	owner.send(http.MethodGet, link, "", "", "410")
	dbtest.Exec(t, conn, "UPDATE first_staff SET expires_at = expires_at + interval '1 hour'")
	owner.send(http.MethodPost, link, formType, form("ann@example.com", "weak"), "422")
	owner.send(http.MethodPost, link, formType, form("eve@example.com", "Anns-passes-1"), "422")
	owner.send(http.MethodPost, link, formType, form("ann@example.com", "Anns-passes-1"), "303")
	check.Equal(t, owner.location, "/staff", "the form leads to")
	// Staff have to set up a second step first.
	owner.send(http.MethodGet, "/staff/forms", "", "", "303")
	check.Equal(t, owner.location, "/account/two-step?to=%2Fstaff%2Fforms",
		"the first staff account is not signed in, or not staff: the page redirects to")
	thief.send(http.MethodGet, link, "", "", "410")
	thief.send(http.MethodPost, link, formType, form("mallory@example.com", "Eves-pass-1"), "410")
	p.end()
	check.Lacks(t, p.stderr.String(), link[len(site):], "the log holds the link")
	check.Equal(t, len(p.all), 5, "the ready line and the link are the lines of %q", p.all)

	p = start(t, values, "serve")
	p.ready()
	p.end()
	check.Lacks(t, strings.Join(p.all, "\n"), "/first/", "a start with staff")
}

func TestTheSandboxOfALiveSite(t *testing.T) {
	t.Parallel()
	values := outside(t, dbtest.URL(t))
	p := start(t, values, "serve")
	guest := newCustomer(t, p.ready())
	const lure = "Your account is locked. Call 1800 EVIL"
	order := url.Values{
		"Merchant_User_Id": {"test-merchant"}, "merchant_ref_number": {lure},
		"Purchase_summary": {lure}, "currencydesc": {"GBP"}, "amount": {"5.00"},
		"transactionkey": {"x"}, "processurl": {"https://evil.example"}, "cancelurl": {"https://evil.example"},
	}.Encode()
	for _, tt := range []struct{ method, path, want string }{
		{http.MethodPost, "/sandbox/hps", "422"}, {http.MethodGet, "/sandbox/hps/x", "404"},
		{http.MethodPost, "/sandbox/hps/x", "404"}, {http.MethodGet, "/sandbox/hps/merchants", "404"},
		{http.MethodGet, "/sandbox/hps/embed?" + order, "422"}, {http.MethodPost, "/sandbox/hps/embed", "422"},
		{http.MethodGet, "/sandbox/checkout.js", "200"}, {http.MethodGet, "/sandbox/jquery.js", "200"},
		{http.MethodGet, "/sandbox/ledger", "404"}, {http.MethodPost, "/sandbox/dispute", "404"},
		{http.MethodGet, "/sandbox/3ds/x", "404"}, {http.MethodGet, "/sandbox/3ds/..%2fhps", "404"},
	} {
		if text := guest.send(tt.method, tt.path, formType, order, tt.want); strings.Contains(text, lure) ||
			strings.Contains(text, "evil.example") || guest.location != "" {
			t.Errorf("%s %s repeats what a caller sends, or redirects: %.300s", tt.method, tt.path, text)
		}
	}
	guest.send(http.MethodGet, "/sandbox/3ds/challenge.css", "", "", "200")
	p.end()
	check.Contains(t, p.stderr.String(), "GATEWAY_URL is not set: the built-in sandbox takes payments in test mode only",
		"the start does not say that live payments are declined: %s", p.stderr)
}
