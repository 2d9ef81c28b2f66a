package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// The test pays with these numbers. The sandbox's test cards among them lead to the outcomes that it needs.
const (
	canaryNumber   = "4929180374652816"
	canaryByJSON   = "5352197468302572"
	canaryMistyped = "4916083527491601"
	declinedNumber = "4000000000000002"
	poorNumber     = "4000000000009995"
	brokenNumber   = "4000000000000119" // 500, not charged
	chargedNumber  = "4000000000000127" // 500 after the charge
	bankNumber     = "4000000000003220" // 3-D Secure
	canaryToken    = "4532980736184250" // inside a wallet's token
	plantedNumber  = "4716309582473163" // nobody pays with it; the search has to find it
	canaryCode     = "7391"
	plantedCode    = "7492"
)

// TestCardDataStaysNowhere pays in every possible way, then searches everything that is left for the numbers: each file of the data
// folder (tables, write-ahead log, PostgreSQL's log, the sandbox's ledger), the log at level debug, and every answer. To prove the search,
// it plants another number in each of these places and has to find it there in every spelling.
//
// A security code is four digits, which any megabyte contains by chance. The test looks for it next to its name everywhere, and as a word
// by itself wherever there is text: in every row of every table, in the logs and in the answers. No request can make a handler panic; a
// test in handlers/web shows what a panic logs.
func TestCardDataStaysNowhere(t *testing.T) {
	t.Parallel()
	dir := demoFolder(t)
	p := start(t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dir, "LOG_LEVEL": "debug"}, "serve")
	c := newCustomer(t, p.ready())
	conn := connectInside(t, dir, false)

	suggested := c.send(http.MethodGet, "/pos/panezski/"+c.order("panezski"), "", "", "200")
	c.answers.Reset()
	payInEveryWay(t, c, conn)
	plant(t, c, conn, p.stderr, dir)
	rows := rowsWithCode(t, conn)
	check.Must(t, conn.Close(t.Context()))
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	logged := strings.Join(p.all, "\n") + p.stderr.String()
	if !strings.Contains(p.stderr.String(), `"level":"DEBUG"`) || !strings.Contains(p.stderr.String(), "settled") {
		t.Error("the log is not at level debug, or does not mention payments")
	}

	paid := append(codeSpellings(canaryCode), `"`+canaryCode+`"`)
	for _, number := range []string{
		canaryNumber, canaryByJSON, canaryMistyped, declinedNumber, poorNumber, brokenNumber, chargedNumber, bankNumber, canaryToken,
	} {
		paid = append(paid, numberSpellings(number)...)
	}
	planted := append(numberSpellings(plantedNumber), codeSpellings(plantedCode)...)
	f := newFinder(append(slices.Clone(paid), planted...)...)
	files, read := f.inFolder(t, dir)
	inLog, inAnswers, inSuggested := f.in([]byte(logged)), f.in(c.answers.Bytes()), f.in([]byte(suggested))
	t.Logf("searched %d MB of files, %d bytes of log, %d bytes of answers", read>>20, len(logged), c.answers.Len())

	for _, text := range paid {
		// In test mode a form suggests cards before anybody has typed one.
		answered := inAnswers[text] && !inSuggested[text]
		if len(files[text]) > 0 || inLog[text] || answered {
			t.Errorf("card data as %q: files %v, log %t, answers %t", text, files[text], inLog[text], answered)
		}
	}
	for _, text := range planted {
		for _, place := range []string{"/cluster/base/", "/cluster/pg_wal/", "/postgres.log", "/planted"} {
			if !slices.ContainsFunc(files[text], func(file string) bool { return strings.HasPrefix(file, place) }) {
				t.Errorf("the search misses %q in %s: %v", text, place, files[text])
			}
		}
		if !inLog[text] || !inAnswers[text] {
			t.Errorf("the search misses %q: log %t, answers %t", text, inLog[text], inAnswers[text])
		}
	}
	check.List(t, rows, []string{"planted " + plantedCode}, "rows with a security code")
	for place, text := range map[string]string{"log": logged, "answers": c.answers.String()} {
		if at := whole(canaryCode).FindStringIndex(text); at != nil {
			t.Errorf("the %s has the security code: …%s", place, text[max(0, at[0]-80):at[1]])
		}
		if !whole(plantedCode).MatchString(text) {
			t.Errorf("the search misses the planted security code in the %s", place)
		}
	}
}

// payInEveryWay sends card data along every path that a payment can take.
func payInEveryWay(t *testing.T, c *customer, conn *pgx.Conn) {
	t.Helper()
	spaced := func(number string) string {
		return number[:4] + " " + number[4:8] + " " + number[8:12] + " " + number[12:]
	}
	for _, tt := range []struct {
		number, byForm, byJSON, status string // the statuses of the form and of the call, and the payment's final status
	}{
		{spaced(canaryNumber), "303", "200", "success"},
		{canaryByJSON, "303", "200", "success"},
		{strings.ReplaceAll(spaced(canaryNumber), " ", "-"), "303", "200", "success"},
		{declinedNumber, "303", "200", "error"},
		{spaced(poorNumber), "303", "200", "error"},
		// The sweep may settle these before the call is answered.
		{brokenNumber, "303", "202 503", "error"},
		{chargedNumber, "303", "202 200", "success"},
	} {
		for _, id := range []string{
			c.form(c.order("panezski"), "panezski", tt.byForm, "card", tt.number),
			c.json(c.order("panezski"), "panezski", tt.byJSON, "pan", tt.number),
		} {
			c.becomes("panezski", id, tt.status)
		}
	}

	// 3-D Secure, answered by the customer and given up.
	for _, decision := range []string{"approve", "refuse"} {
		id := c.form(c.order("panezski"), "panezski", "303", "card", bankNumber)
		bank := c.location
		c.send(http.MethodGet, bank, "", "", "200")
		c.send(http.MethodPost, bank, formType, "decision="+decision, "303")
		c.send(http.MethodGet, "/pos/panezski/"+id, "", "", "200")
		c.becomes("panezski", id, map[string]string{"approve": "success", "refuse": "error"}[decision])
	}
	id := c.json(c.order("panezski"), "panezski", "202", "pan", bankNumber)
	c.send(http.MethodPost, "/pos/panezski/"+id+"/retry", formType, "", "303")

	payByWallets(c)

	// Invalid forms, among them the number typed into every other field.
	id = c.order("panezski")
	for _, field := range []struct{ form, json, value string }{
		{"card", "pan", canaryMistyped}, {"card", "pan", canaryNumber + "9999999"}, {"card", "pan", canaryNumber + "x"},
		{"name", "cardholder", canaryNumber}, {"name", "cardholder", "Pat " + spaced(canaryNumber)},
		{"exp", "exp", canaryNumber}, {"exp", "exp", "01/20"},
		{"cvc", "cvc", spaced(canaryNumber)}, {"cvc", "cvc", "x" + canaryCode}, {"email", "cEmail", canaryNumber},
	} {
		c.form(id, "panezski", "303", field.form, field.value)
		c.json(id, "panezski", "422", field.json, field.value)
	}
	body := c.body(id, "panezski", "pan", canaryByJSON)
	for _, broken := range []struct{ media, body, want string }{
		{"application/json", body[:len(body)-1], "400"}, {"application/json", body + body, "400"},
		{"application/json", body + canaryNumber, "400"},
		{"application/json", strings.Replace(body, `"`+canaryByJSON+`"`, canaryByJSON, 1), "422"},
		{"application/json", strings.Replace(body, `"`+canaryByJSON+`"`, `["`+canaryByJSON+`"]`, 1), "422"},
		{"application/json", body + strings.Repeat(" ", 20<<10), "413"}, {formType, body, "415"}, {"text/plain", body, "415"}, {"", body, "415"},
	} {
		c.send(http.MethodPost, "/api/pay", broken.media, broken.body, broken.want)
	}
	form := c.fields("card", canaryNumber).Encode()
	for _, broken := range []struct{ media, body, want string }{
		{formType, form + "&%zz", "400"}, {formType, form + "&" + form, "400"}, {formType, form + "&x=" + strings.Repeat("x", 20<<10), "413"},
		{
			"multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"card\"\r\n\r\n" + canaryNumber + "\r\n--b--\r\n", "415",
		},
		{"text/plain", form, "415"},
	} {
		c.send(http.MethodPost, "/pos/panezski/"+id, broken.media, broken.body, broken.want)
	}
	c.send(http.MethodGet, "/pos/panezski/"+id+"?"+form, "", "", "200")
	c.send(http.MethodPut, "/api/pay?"+form, "application/json", body, "405")
	c.send(http.MethodPost, "/api/nothing", "application/json", body, "404")

	// Payments that are refused, because the transaction does not exist, or is paid, declined, sold out or expired.
	missing := strings.Repeat("A", len(id))
	c.form(missing, "panezski", "404", "card", canaryNumber)
	c.json(missing, "panezski", "404", "pan", canaryNumber)
	c.json(id, "panezski", "200", "pan", canaryNumber)
	c.json(id, "panezski", "200", "pan", canaryByJSON)
	for status, want := range map[string]string{"error": "409", "processing": "409", "expired": "410"} {
		id := c.order("panezski")
		dbtest.Exec(t, conn, "UPDATE transaction SET status = $2 WHERE id = $1", id, status)
		c.form(id, "panezski", "303", "card", canaryNumber)
		c.json(id, "panezski", want, "pan", canaryNumber)
	}
	id = c.order("panezski")
	dbtest.Exec(t, conn, "UPDATE item SET sold_out = true")
	c.form(id, "panezski", "303", "card", canaryNumber)
	c.json(id, "panezski", "409", "pan", canaryNumber)
	dbtest.Exec(t, conn, "UPDATE item SET sold_out = false")

	// The database refuses the row, which its error would quote, and then the gateway's answer.
	dbtest.Exec(
		t, conn,
		"ALTER TABLE attempt ADD CONSTRAINT no_such_payer CHECK (payer_name <> 'Refused Row'), ADD CONSTRAINT "+
			"no_such_decline CHECK (payer_name <> 'Refused Answer' OR state <> 'declined')",
	)
	c.form(c.order("panezski"), "panezski", "500", "card", canaryNumber, "name", "Refused Row")
	c.json(c.order("panezski"), "panezski", "500", "pan", canaryByJSON, "cardholder", "Refused Row")
	c.json(c.order("panezski"), "panezski", "202", "pan", declinedNumber, "cardholder", "Refused Answer")

	// Live payments, whose cards are counted, up to the limit.
	dbtest.Exec(t, conn, "UPDATE shop SET live = true WHERE code = 'moollar'")
	for range 3 {
		c.json(c.order("moollar"), "moollar", "200", "pan", declinedNumber)
	}
	c.form(c.order("moollar"), "moollar", "303", "card", declinedNumber)
	c.json(c.order("moollar"), "moollar", "429", "pan", declinedNumber)
}

// payByWallets pays with tokens, which are worth as much as cards.
func payByWallets(c *customer) {
	const token = `{"wallet":"%s","merchantId":"panezski","transid":"%s","token":"%[3]s-` + canaryToken + `",` +
		`"paymentData":{"data":"%[3]s-` + canaryToken + `"}}`
	for _, wallet := range []string{"gpay", "apple"} {
		for outcome, ends := range map[string][2]string{
			"approve": {"200", "success"}, "decline": {"200", "error"}, "uncharged": {"202 503", "error"},
		} {
			id := c.order("panezski")
			c.send(http.MethodPost, "/api/wallet", "application/json", fmt.Sprintf(token, wallet, id, outcome), ends[0])
			c.becomes("panezski", id, ends[1])
		}
		id := c.order("panezski")
		c.send(http.MethodPost, "/api/wallet", "application/json", fmt.Sprintf(token, wallet, id, "redirect"), "202")
		body := fmt.Sprintf(token, wallet, id, "approve")
		c.send(http.MethodPost, "/api/wallet", "application/json", body, "409")
		c.send(http.MethodPost, "/api/wallet", "application/json", body[:len(body)-1], "400")
		c.send(http.MethodPost, "/api/wallet", "application/json", body+body, "400")
		c.send(http.MethodPost, "/api/wallet", "application/json", strings.Replace(body, wallet, "other", 1), "422")
		c.send(http.MethodPost, "/api/wallet/session", "application/json", body, "422")
	}
}

// plant puts a number and a code that nobody paid with into every place where the search has to find them, in every spelling and each
// with something before and after it.
func plant(t *testing.T, c *customer, conn *pgx.Conn, log io.Writer, dir string) {
	t.Helper()
	var lines []string
	for _, text := range append(numberSpellings(plantedNumber), append(codeSpellings(plantedCode), plantedCode)...) {
		lines = append(lines, "{"+text+"}")
	}
	check.Must(t, os.WriteFile(filepath.Join(dir, "planted"), []byte(strings.Join(lines, "\n")), 0o600))
	dbtest.Exec(t, conn, "CREATE TABLE planted (text text)")
	for _, line := range lines {
		// Twice, because the header of a page of the write-ahead log may split one of two neighbours.
		dbtest.Exec(t, conn, "INSERT INTO planted VALUES ($1), ($1)", line)
		dbtest.Exec(t, conn, "DO $do$ BEGIN RAISE LOG '%', $planted$"+line+"$planted$; END $do$")
		fmt.Fprintln(log, line)
		c.answers.WriteString(line + "\n")
	}
}

// rowsWithCode returns the table and the code of each row that has a security code as a separate word.
func rowsWithCode(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	names := query(
		t, conn,
		`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables `+
			`WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
	)
	if len(names) < 10 {
		t.Fatalf("only the tables %q", names)
	}
	var found []string
	for _, name := range names {
		for _, row := range query(t, conn, "SELECT t::text FROM "+name+" t") {
			for _, code := range []string{canaryCode, plantedCode} {
				if hit := strings.TrimPrefix(name, "public.") + " " + code; whole(code).MatchString(row) && !slices.Contains(found, hit) {
					found = append(found, hit)
				}
			}
		}
	}
	return found
}

// whole matches a code as a separate word, not as part of a time, a larger number or an id.
func whole(code string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[^0-9A-Za-z.:_+-])` + code + `([^0-9A-Za-z.:_+-]|$)`)
}

func query(t *testing.T, conn *pgx.Conn, statement string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), statement)
	check.Must(t, err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	check.Must(t, err)
	return texts
}

// customer pays over HTTP and keeps every answer.
type customer struct {
	t        *testing.T
	site     string
	client   *http.Client
	answers  bytes.Buffer
	location string // of the last answer
	bearer   string // sent with each request, if set
}

const formType = "application/x-www-form-urlencoded"

func newCustomer(t *testing.T, site string) *customer {
	t.Helper()
	jar, err := cookiejar.New(nil)
	check.Must(t, err)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &customer{t: t, site: site, client: &http.Client{Jar: jar, CheckRedirect: stay}}
}

// send requests a path or an address, expects one of the statuses in want, and returns the body.
func (c *customer) send(method, path, media, body, want string) string {
	c.t.Helper()
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.site + path
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(body))
	check.Must(c.t, err)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if c.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	res, err := c.client.Do(req)
	check.Must(c.t, err, "%s %.60s", method, path)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	check.Must(c.t, err, "%s %.60s", method, path)
	fmt.Fprintf(&c.answers, "%v\n%s\n", res.Header, text)
	c.location = res.Header.Get("Location")
	if got := fmt.Sprint(res.StatusCode); !slices.Contains(strings.Fields(want), got) {
		c.t.Errorf("%s %.60s: %s, want %s: %.300s", method, path, got, want, text)
	}
	return string(text)
}

// signIn signs a person in and expects a status.
func (c *customer) signIn(email, password, want string) {
	c.t.Helper()
	c.send(http.MethodPost, "/signin", formType, url.Values{"email": {email}, "password": {password}}.Encode(), want)
}

// order orders a business's first item and returns the transaction's id.
func (c *customer) order(shop string) string {
	c.t.Helper()
	var menu struct{ Items []struct{ ID int64 } }
	c.read(c.send(http.MethodGet, "/api/pos/"+shop, "", "", "200"), &menu)
	if len(menu.Items) == 0 {
		c.t.Fatalf("%s has no menu", shop)
	}
	var made struct{ TrxID string }
	body := fmt.Sprintf(`{"merchantId":%q,"order":[{"id":%d,"qty":1}],"table":"4"}`, shop, menu.Items[0].ID)
	c.read(c.send(http.MethodPost, "/api/pos", "application/json", body, "201"), &made)
	return made.TrxID
}

// fields returns a filled-in card form; changes are alternating names and values.
func (c *customer) fields(changes ...string) url.Values {
	form := url.Values{
		"card": {canaryNumber}, "name": {"Pat Payer"}, "exp": {"11/33"}, "cvc": {canaryCode}, "email": {"pat@example.com"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return form
}

// form pays with the form and returns the transaction's id.
func (c *customer) form(id, shop, want string, changes ...string) string {
	c.t.Helper()
	c.send(http.MethodPost, "/pos/"+shop+"/"+id, formType, c.fields(changes...).Encode(), want)
	return id
}

// body returns a payment as the API takes it; changes are alternating names and values.
func (c *customer) body(id, shop string, changes ...string) string {
	c.t.Helper()
	fields := map[string]string{
		"merchantId": shop, "trxId": id, "cardholder": "Pat Payer", "pan": canaryByJSON,
		"exp": "11/33", "cvc": canaryCode, "cEmail": "pat@example.com",
	}
	for i := 0; i+1 < len(changes); i += 2 {
		fields[changes[i]] = changes[i+1]
	}
	body, err := json.Marshal(fields)
	check.Must(c.t, err)
	return string(body)
}

// json pays by the API and returns the transaction's id.
func (c *customer) json(id, shop, want string, changes ...string) string {
	c.t.Helper()
	c.send(http.MethodPost, "/api/pay", "application/json", c.body(id, shop, changes...), want)
	return id
}

// becomes waits for a status, then requests the page.
func (c *customer) becomes(shop, id, status string) {
	c.t.Helper()
	apptest.Eventually(c.t, id+" is "+status, func() bool {
		var trx struct{ Status string }
		c.read(c.send(http.MethodGet, "/api/pos/"+shop+"/"+id, "", "", "200"), &trx)
		return trx.Status == status
	})
	c.send(http.MethodGet, "/pos/"+shop+"/"+id, "", "", "200")
}

func (c *customer) read(body string, value any) {
	c.t.Helper()
	check.Must(c.t, json.Unmarshal([]byte(body), value), "%.300s", body)
}
