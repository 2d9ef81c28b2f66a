package handlers_test

import (
	"bytes"
	"cmp"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

// cast is a site that has something at every address, and the people who visit it.
type cast struct {
	app                                     *apptest.App      // the admin of everything that has an owner
	nobody, stranger, removed, guest, staff *apptest.App      // stranger runs another business; removed ran this one; guest has an invitation
	ids                                     map[string]string // for the words in the addresses of the policies
	tokens                                  map[string]string // of the batch API: "owner" and "stranger"
	browser                                 *ecdh.PrivateKey  // registers for push messages
}

const guestMail = "guest@example.com"

// terminal is the terminal service for one system, which bridges has.
const terminal = "linux-amd64"

// bridges returns a folder with the terminal service.
func bridges(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	check.Must(t, os.WriteFile(filepath.Join(folder, terminal), []byte("ELF"), 0o600))
	return folder
}

// newCast fills a site. It uses SQL for rows that would otherwise need mail or time.
func newCast(t *testing.T) *cast {
	t.Helper()
	app := apptest.New(t, apptest.Options{AppleDomainFile: []byte("apple"), BridgeDir: bridges(t), Push: push.Config{
		Project: push.Project{ID: "shop", AppID: "app", SenderID: "sender", APIKey: secret.New("api-key")},
	}})
	c := &cast{app: app, nobody: app.NewPerson(t), stranger: app.NewPerson(t), removed: app.NewPerson(t), guest: app.NewPerson(t), staff: app.NewPerson(t)}
	app.SignIn(t)
	c.staff.SignInStaff(t)
	c.stranger.SignUp(t, "stranger@example.com")
	c.removed.SignUp(t, "removed@example.com")
	c.guest.SignUp(t, guestMail)
	c.tokens = map[string]string{"owner": app.Bearer(t, "panezski"), "stranger": app.Bearer(t, "moollar")}

	var err error
	if c.browser, err = ecdh.P256().GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		check.Must(t, err)
	}
	person := func(id, admin string, more ...string) {
		t.Helper()
		err := app.Compliance.Create(t.Context(), compliance.NewRecord{ID: id, Business: id, Admins: append(more, admin), People: []compliance.Asked{
			{Name: "Alex", Required: []compliance.Part{compliance.LicencePart}},
		}})
		must(err)
	}
	queries := db.New(app.Pool)
	for _, shop := range []string{"panezski", demo.MerchantCode} {
		if shop == demo.MerchantCode {
			must(queries.MerchantAdminAdd(t.Context(), uuid.MustParse(demo.MerchantUUID), accountOf(t, app, "removed@example.com")))
		} else {
			must(app.Accounts.SetAdmin(t.Context(), "removed@example.com", shop, true))
		}
	}
	person("acme", demo.Email, "removed@example.com")
	c.was(t)
	for _, shop := range []string{"panezski", demo.MerchantCode} {
		must(app.Accounts.SetAdmin(t.Context(), "removed@example.com", shop, false))
	}
	must(app.Accounts.SetAdmin(t.Context(), "stranger@example.com", "moollar", true))
	person("other", "stranger@example.com")
	products, err := merchant.Choose([]string{"api"}, map[string][]string{})
	must(err)
	_, _, _, err = app.Merchants.Create(t.Context(), merchant.Asked{By: accountOf(t, app, "stranger@example.com"), Name: "Other",
		Products: products, SignupInfo: []byte("{}")})
	must(err)
	c.fill(t)
	return c
}

// was fails the test unless the admin who will be removed has access.
func (c *cast) was(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/compliance/acme", "/pos/panezski/kitchen"} {
		c.removed.Get(t, path).Must(t, http.StatusOK, "the admin who will be removed, at "+path)
	}
}

// fill makes something for each address.
func (c *cast) fill(t *testing.T) {
	t.Helper()
	app, change := c.app, func(statement string, args ...any) {
		t.Helper()
		dbtest.Exec(t, c.app.Pool, statement, args...)
	}
	batch := app.Do(t, http.MethodPost, "/api/batch", strings.NewReader(`[{"amount":"1.00"}]`), http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.tokens["owner"]},
	})
	made := apptest.JSON[struct {
		ID   string
		Rows []struct{ TrxID string }
	}](t, batch)
	paid, receipt, attempt := app.Order(t), "", ""
	app.Post(t, "/pos/panezski/"+paid, url.Values{"name": {"Ann"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "email": {"ann@example.com"}})
	c.ids = map[string]string{
		"ORDER": app.Order(t), "BATCH": made.ID, "LINK": made.Rows[0].TrxID, "INVITE": demo.InviteID, "JOIN": "join-token", "RESET": "reset-token",
		"FIRST": "first-token", "VERIFY": "verify-token", "PAID": paid, "LOCATION": "Kitchen", "NOTE": rand.Text(), "RECORD": "acme", "MERCHANT": demo.MerchantUUID, "BUSINESS": "panezski", "GOLIVE": "tahbella", "FORM": "A-2222-22", "CODE": demo.Shortcode, "MAIL": uuid.NewString(),
	}
	apptest.Eventually(t, "there is a receipt", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT r.token, a.id::text FROM receipt r JOIN attempt a USING (transaction_id) WHERE transaction_id = $1", paid).
			Scan(&receipt, &attempt) == nil
	})
	c.ids["RECEIPT"], c.ids["DISH"] = receipt, dbtest.Value[string](t, app.Pool, "SELECT min(id)::text FROM item WHERE shop_code = 'panezski'")
	hash := func(token string) []byte { sum := sha256.Sum256([]byte(token)); return sum[:] }
	change(`INSERT INTO merchant_invite (id, merchant_uuid, email, token_hash, invited_by, expires_at)
		SELECT gen_random_uuid(), $1, $2, $3, id, now() + interval '1 day' FROM account WHERE email = $4`, demo.MerchantUUID, guestMail, hash("join-token"), demo.Email)
	change(`INSERT INTO password_reset (token_hash, account_id, expires_at) SELECT $1, id, now() + interval '1 hour' FROM account WHERE email = $2`, hash("reset-token"), demo.Email)
	change(`INSERT INTO form (account_id, kind, data, state, reference, handed_in, submitted_at)
		SELECT id, 'application', '{"name":"Corner"}', 'submitted', 'A-2222-22', 1, now() FROM account WHERE email = $1`, demo.Email)
	change(`INSERT INTO verification (token_hash, account_id, expires_at) SELECT $1, id, now() + interval '1 hour' FROM account WHERE email = $2`, hash("verify-token"), guestMail)
	c.ids["TEAM"], c.ids["COLLEAGUE"] = "team-token", uuid.NewString()
	change(`INSERT INTO shop_invite (id, shop_code, email, role, token_hash, invited_by, expires_at)
		SELECT gen_random_uuid(), 'panezski', 'invited@example.com', 'floor', $1, id, now() + interval '1 day' FROM account WHERE email = $2`, hash("team-token"), demo.Email)
	change(`INSERT INTO account (id, email, password_hash) VALUES ($1, 'colleague@example.com', 'x')`, c.ids["COLLEAGUE"])
	change(`INSERT INTO shop_member (shop_code, account_id, role) VALUES ('panezski', $1, 'viewer')`, c.ids["COLLEAGUE"])
	c.handIn(t)
	change(`INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt WHERE id = $1`, attempt)
	c.ids["DISPUTE"], c.ids["PAYMENT"] = attempt, uuid.NewString()
	change(`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, created_at)
		SELECT $1, id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now() + interval '1 hour', 'unknown', now() - interval '1 hour'
		FROM transaction WHERE id = $2`, c.ids["PAYMENT"], app.Order(t))
	c.ids["REFUND"] = uuid.NewString()
	change(`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, error_msg)
		SELECT $1, id, shop_code, 1, currency, test_mode, 'operator test', now() + interval '1 hour', 'manual', 'x' FROM transaction WHERE id = $2`, c.ids["REFUND"], paid)
	change("INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at) VALUES ('p1', 'panezski', 'AUD', true, 100, 2, 98, now())")
	c.ids["PAYOUT"] = dbtest.Value[string](t, app.Pool, "SELECT number::text FROM payout")
	check.Must(t, app.Compliance.AskAccount(t.Context(),
		shop.Person{ID: accountOf(t, app, demo.Email), Email: demo.Email, Proof: account.OperatorProof()}, "panezski",
		compliance.Mandate{Name: "Panezski", BSB: "062000", Number: "12345678"}))
	c.ids["BANK"] = dbtest.Value[string](t, app.Pool, "SELECT id::text FROM payout_account")
	c.ids["UNMATCHED"] = uuid.NewString()
	change(`INSERT INTO ledger_entry (id, gateway, kind, reference, trx_id, transactionid, merchant, test_mode, amount_minor, currency, state, arrivals, at,
			gross_minor, fees_minor, lines, odd)
		VALUES ($1, 'x', 'capture', 'x', '', '', 'x', true, 1, 'AUD', '', 1, now(), 0, 0, '{}', '')`, c.ids["UNMATCHED"])
	c.ids["EXPORT"], c.ids["CLOSING"] = uuid.NewString(), "test-1"
	change(`INSERT INTO export (id, shop_code, account_id, requested_by, kind, test_mode, since, before, time_zone, after_at, done_at)
		SELECT $1, 'panezski', id, email, 'payments', true, now() - interval '1 day', now(), 'UTC', now(), now() FROM account WHERE email = $2`, c.ids["EXPORT"], demo.Email)
	change(`INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by)
		VALUES ('panezski', true, 1, '2026-01-01', '2026-01-01', '2026-01-02', 'UTC', 'x', '', 'null', 'x', 'x')`)
	change(`INSERT INTO mail (id, key, kind, message_id, sender, recipient, subject, plain, html, file_name, file)
		VALUES ($1, 'x', 'x', 'x', 'x', 'x@example.com', 'x', 'x', 'x', 'x.pdf', 'x')`, c.ids["MAIL"])
}

// state returns rows that requests without a right must not change, and all of the audit but looks at desks.
func (c *cast) state(t *testing.T) string {
	t.Helper()
	return dbtest.Value[string](t, c.app.Pool, `SELECT concat_ws(' ', (SELECT string_agg(c::text, ',' ORDER BY c.code) FROM shop c),
		(SELECT string_agg(m::text, ',' ORDER BY m.account_id, m.shop_code) FROM shop_member m), (SELECT string_agg(p::text, ',' ORDER BY p.transaction_id) FROM paylink p),
		(SELECT string_agg(i::text, ',' ORDER BY i.id) FROM item i), (SELECT count(*) FROM audit WHERE subject NOT LIKE 'desk %'), (SELECT count(*) FROM shop_invite),
		(SELECT count(*) FROM merchant_invite), (SELECT count(*) FROM shop_table), (SELECT count(*) FROM refund), (SELECT count(*) FROM refund_limit),
		(SELECT count(*) FROM kitchen_device), (SELECT count(*) FROM closing), (SELECT count(*) FROM export))`)
}

// handIn signs the record's agreement and uploads a picture as its admin.
func (c *cast) handIn(t *testing.T) {
	t.Helper()
	var picture bytes.Buffer
	check.Must(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 60, 40)), nil))
	text := regexp.MustCompile(`name="text" value="([0-9a-f]{64})"`).FindStringSubmatch(c.app.Get(t, "/compliance/acme").Body)
	if text == nil {
		t.Fatal("no text to sign")
	}
	c.app.Post(t, "/compliance/acme", url.Values{"text": {text[1]}, "name": {"Acme"}, "bsb": {"062-187"}, "number": {"40417293"}, "acknowledged": {"yes"}})
	c.app.PostFile(t, "/compliance/acme", url.Values{
		"person": {"1"}, "licenseno": {"CNRY 7731"}, "licensestate": {"NSW"}, "licenseexp": {"31/12/2044"},
	}, "dlfront", picture.Bytes()).Must(t, http.StatusSeeOther, "hand in")
}

// fillIn replaces the words in a policy's text with the ids of the cast, or with ids that do not exist.
func (c *cast) fillIn(t *testing.T, text string, made bool) string {
	t.Helper()
	var pairs []string
	for word, id := range c.ids {
		if !made {
			id = missing(id)
		}
		pairs = append(pairs, word, id)
	}
	if strings.Contains(text, "PUSH") { // a request may remove the registration, so each request gets a new one
		token := rand.Text()
		if made {
			dbtest.Exec(t, c.app.Pool, "INSERT INTO push_registration (key, endpoint, auth, p256dh) VALUES ($1, 'x', 'x', 'x')", push.KeyOf(token))
		}
		pairs = append(pairs, "PUSH", token)
	}
	if strings.Contains(text, "SCREEN") { // a request may open the screen's link
		token := rand.Text()
		if made {
			dbtest.Exec(t, c.app.Pool, `INSERT INTO kitchen_device (id, shop_code, name, link_hash, link_until)
				VALUES (gen_random_uuid(), 'panezski', 'Grill', sha256($1), now() + interval '1 day')`, []byte(token))
		}
		pairs = append(pairs, "SCREEN", token)
	}
	pairs = append(pairs, "BROWSER", base64.RawURLEncoding.EncodeToString(c.browser.PublicKey().Bytes()))
	return strings.NewReplacer(pairs...).Replace(text)
}

// missing returns an id of the same form that does not exist.
func missing(id string) string {
	if _, err := uuid.Parse(id); err == nil {
		return uuid.Nil.String()
	}
	if strings.HasPrefix(id, "A-") {
		return "A-3333-33"
	}
	return strings.Repeat("Z", len(id))
}

// ask sends a policy's request; if lost is set, with ids that do not exist. Of a stream it reads only the header.
func (c *cast) ask(t *testing.T, by *apptest.App, name string, p policy, lost bool, bearer string) apptest.Answer {
	t.Helper()
	method, path, _ := strings.Cut(name, " ")
	path, p.body = c.fillIn(t, cmp.Or(p.path, path), !lost), c.fillIn(t, p.body, !lost)
	header := http.Header{"Sec-Fetch-Site": {"same-origin"}}
	switch {
	case strings.HasPrefix(p.body, "{"), strings.HasPrefix(p.body, "["):
		header.Set("Content-Type", "application/json")
	case method != http.MethodGet:
		header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if bearer != "" {
		header.Set("Authorization", "Bearer "+bearer)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, by.URL+path, strings.NewReader(p.body))
	check.Must(t, err)
	req.Header = header
	client := *by.Client
	if strings.HasPrefix(path, "/kitchen/") { // a browser that opens the link becomes a kitchen screen
		if client.Jar, err = cookiejar.New(nil); err != nil {
			t.Fatal(err)
		}
		client.Jar.SetCookies(req.URL, by.Client.Jar.Cookies(req.URL))
	}
	res, err := client.Do(req)
	check.Must(t, err)
	defer func() { _ = res.Body.Close() }()
	got := apptest.Answer{Status: res.StatusCode, Header: res.Header}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		text, err := io.ReadAll(res.Body)
		check.Must(t, err)
		got.Body = string(text)
	}
	return got
}
