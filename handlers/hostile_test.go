package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/demo"
	"forecourt/internal/invite"
	"forecourt/internal/secret"
)

// marks are texts that show, in an answer, that input came back unescaped.
var marks = []string{"<script>xss", `"><xss`, "'><xss", "<img src=xss"}

// hostile returns texts that tend to break programs.
func hostile() []string {
	texts := append([]string{}, marks...)
	texts = append(texts,
		"", " ", "\x00", "a\x00b", "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\u0085", "\u202e\u2066", "\ufeff", "\U0010ffff",
		"a\r\nX-Evil: 1", "%0d%0aX-Evil:%201", "\t\v\f\b\x1b[31m\x7f",
		"-1", "-0", "+1", "0", "00", "0x10", "1e309", "1e3", "NaN", "Infinity", "1_000", "1,000.00", "12.345", ".5", "5.",
		"9223372036854775807", "9223372036854775808", "-9223372036854775809", strings.Repeat("9", 400), "2147483648",
		"١٢٣", "１２３", "௧", "Ⅳ", "¼",
		"../../etc/passwd", "..%2f..%2fetc", `..\..\windows`, "/./..//", "%2e%2e/", "%252e%252e%252f", "file:///etc/passwd", "//evil.example", "https://evil.example",
		"' OR '1'='1", "'; DROP TABLE item; --", `\'; --`, "$1", "{{.}}", "${7*7}", "{{constructor.constructor('x')()}}", "%s%n%d", "`id`", "|id", "\\",
		"null", "true", "[]", "{}", "undefined", "constructor", "__proto__", "demo", "order", "kitchen", "retry",
		strings.Repeat("A", 1000), strings.Repeat("é", 1000), strings.Repeat("👩‍👩‍👧", 300), strings.Repeat("[", 4000), strings.Repeat("1x1.", 1000),
	)
	return texts
}

// harmless checks the answer to a hostile request.
func harmless(t *testing.T, what string, got apptest.Answer) {
	t.Helper()
	if got.Status >= 500 || got.Status == 0 {
		t.Errorf("%.120q: status %d", what, got.Status)
	}
	for _, mark := range marks {
		if strings.Contains(got.Body, mark) {
			t.Errorf("%.120q: %q came back unescaped", what, mark)
		}
	}
	if got.Header.Get("X-Evil") != "" {
		t.Errorf("%.120q: the input became a header", what)
	}
	if got.Location != "" && (!strings.HasPrefix(got.Location, "/") || strings.HasPrefix(got.Location, "//") || strings.HasPrefix(got.Location, `/\`)) {
		t.Errorf("%.120q: the answer redirects to %q", what, got.Location)
	}
}

// TestFiveThousandHostileInputs counts its inputs, so that nobody removes any unnoticed.
func TestFiveThousandHostileInputs(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	count := func(t *testing.T, what string, got apptest.Answer) {
		t.Helper()
		sent.Add(1)
		harmless(t, what, got)
	}
	attacks := map[string]func(*testing.T, func(*testing.T, string, apptest.Answer)){
		"addresses": hostileAddresses, "forms": hostileForms, "JSON": hostileJSON, "batches": hostileBatches,
	}
	for part := range parts {
		attacks[fmt.Sprint("every route, part ", part+1)] = func(t *testing.T, count func(*testing.T, string, apptest.Answer)) {
			t.Helper()
			hostileRoutes(t, part, count)
		}
	}
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			attack(t, count)
		})
	}
	t.Cleanup(func() {
		if t.Logf("%d hostile requests", sent.Load()); sent.Load() < 5000 {
			t.Errorf("%d hostile requests, want 5,000", sent.Load())
		}
	})
}

func hostileAddresses(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	for _, text := range hostile() {
		segment, query := url.PathEscape(text), url.QueryEscape(text)
		for _, path := range []string{
			"/" + segment, "/x/" + segment, "/pos/" + segment, "/pos/" + segment + "/order", "/pos/" + segment + "/demo", "/pos/panezski/" + segment,
			"/pos/" + segment + "/" + id, "/s/" + segment, "/api/shortcode/" + segment, "/api/" + segment, "/api/pos/" + segment, "/api/pos/panezski/" + segment, "/static/" + segment,
			"/static/brand/" + segment, "/.well-known/" + segment, "/sandbox/3ds/" + segment,
			"/demo/" + segment, "/demo/qr/" + segment, "/demo/qr/" + segment + ".svg", "/demo/bridge?amount=" + query,
			"/search?phoneNumber=" + query + "&displayName=" + query, "/demo/qr?client=" + query + "&table=" + query,
			"/demo/qr/print?client=" + query + "&tables=" + query, "/demo/qr?table=" + query, "/demo/qr/panezski.png?table=" + query,
			"/onboarding/tokengen/" + segment, "/api/batch/" + segment,
			"/pos/panezski?t=" + query + "&n=" + query + "&b=" + query + "&k=" + query,
			"/pos/panezski/order?t=" + query + "&b=1x1&k=" + query, "/pos/panezski/order?n=" + query + "&b=" + query,
			"/pos/panezski/" + id + "?" + query, "/pos/panezski/demo?paid=1&result=" + query,
		} {
			count(t, path, app.Get(t, path))
		}
	}
}

func hostileForms(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	for _, text := range hostile() {
		for path, form := range map[string]url.Values{
			"/pos/panezski?b=1x1": {"qty." + text: {text}, "qty.1": {text}, "add": {text}, "key": {text}},
			"/pos/panezski/order?b=1x1&k=" + url.QueryEscape(text): {
				"qty.1": {"1"}, "name": {text}, "amount": {text}, "remove": {text}, "key": {text},
			},
			"/pos/panezski/order?b=1x1&n=" + url.QueryEscape(text): {"qty.1": {"1"}, "name": {text}, "amount": {"5.50"}},
			"/pos/panezski/" + id: {
				"name": {text}, "card": {text}, "exp": {text}, "cvc": {text}, "email": {text}, "key": {text},
			},
			"/pos/" + url.PathEscape(text) + "/" + url.PathEscape(text): {
				"name": {"Ann"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "key": {text},
			},
			"/pos/panezski/" + url.PathEscape(text) + "/retry": {},
			"/pos/" + url.PathEscape(text):                     {"add": {"1"}},
			"/onboarding/tokengen/demo-invite": {
				"email": {text}, "secretKey": {text}, "password": {text}, "userIndex": {text},
			},
		} {
			count(t, path+" "+form.Encode(), app.Post(t, path, form))
		}
		count(t, text, app.Do(t, http.MethodPost, "/pos/panezski", strings.NewReader(text), http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"},
		}))
	}
}

func hostileJSON(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	post := func(path, body string) {
		got := app.Do(t, http.MethodPost, path, strings.NewReader(body), http.Header{"Content-Type": {"application/json"}})
		count(t, path+" "+body, got)
		if got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("API-05 %.80q: %s", body, got.Header.Get("Content-Type"))
		}
	}
	for _, text := range hostile() {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{string(quoted), text, "[" + string(quoted) + "]", `{"a":` + string(quoted) + `}`} {
			post("/api/pos", `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"amount":`+value+`}`)
			post("/api/pos", `{"merchantId":"panezski","order":[{"id":`+value+`,"name":`+value+`,"qty":1}]}`)
			post("/api/pos", `{"merchantId":"panezski","order":`+value+`}`)
			post("/api/pos", value)
			post("/api/pay", value)
		}
		q := string(quoted)
		post("/api/pos", `{"merchantId":`+q+`,"order":[{"id":1,"qty":1}],"name":`+q+`}`)
		post("/api/pos", `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"name":`+q+`,"table":`+q+`}`)
		post("/api/pos", `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"description":`+q+`,"source":`+q+`,"trxRef":`+q+`,"pushToken":`+q+`}`)
		post("/api/pay", `{"merchantId":"panezski","trxId":`+q+`,"cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`)
		post("/api/pay", `{"merchantId":`+q+`,"trxId":"`+id+`","cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`)
		post("/api/pay", `{"merchantId":"panezski","trxId":"`+id+`","cardholder":`+q+`,"pan":`+q+`,"exp":`+q+`,"cvc":`+q+`,"cEmail":`+q+`}`)
	}
	post("/api/pos", strings.Repeat(`{"a":`, 12000))
	post("/api/pay", strings.Repeat(`[`, 16000))
}

func hostileBatches(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	token, err := app.Invites.Generate(t.Context(), invite.Request{
		DocID: demo.InviteID, Email: demo.Email, SecretKey: secret.New(demo.InviteKey), Password: secret.New("x"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range hostile() {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		q := string(quoted)
		for body, media := range map[string]string{
			`[{"amount":` + q + `}]`: "application/json", `[` + q + `]`: "application/json", text: "application/json",
			`[{"amount":"1","currency":` + q + `,"reference":` + q + `,"description":` + q + `,"expires":` + q + `}]`: "application/json",
			`[{"amount":"1","reference":` + q + `,"description":` + q + `}]`:                                          "application/json",
			"amount,reference,description\n1," + text + "," + text:                                                    "text/csv",
			"amount;" + text + "\n1;" + text:                                                                          "text/csv",
			"amount\n" + text:                                                                                         "text/csv",
			"\xff\xfe" + text:                                                                                         "text/csv",
		} {
			got := app.Do(t, http.MethodPost, "/api/batch", strings.NewReader(body), http.Header{
				"Content-Type": {media}, "Authorization": {"Bearer " + token.Reveal()},
			})
			count(t, media+" "+body, got)
		}
	}
}
