package handlers_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
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
		check.Lacks(t, got.Body, mark, "%.120q: … came back unescaped", what)
	}
	check.Equal(t, got.Header.Get("X-Evil"), "", "%.120q: the input became a header", what)
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
	for name, attack := range map[string]func(*testing.T, func(*testing.T, string, apptest.Answer)){
		"every route": hostileRoutes, "within a body": hostileBodies,
	} {
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

// parameter matches a variable part of a route's pattern.
var parameter = regexp.MustCompile(`\{[A-Za-z]+\}|\*`)

// attack is a request to a route with a hostile text in one kind of place.
type attack struct {
	path   string // the route's, with valid parts
	header http.Header
	body   io.Reader
}

// places are where a request can hold a text.
func places(t *testing.T, pattern string) map[string]func(a *attack, text string) {
	t.Helper()
	body := func(a *attack, media, text string) {
		a.header.Set("Content-Type", media)
		a.body = strings.NewReader(text)
	}
	// A header cannot hold every byte: net/http refuses to send it.
	line := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return '?'
			}
			return r
		}, text)
	}
	return map[string]func(a *attack, text string){
		"path": func(a *attack, text string) {
			a.path = parameter.ReplaceAllLiteralString(pattern, url.PathEscape(text))
		},
		"query": func(a *attack, text string) {
			values := url.Values{text: {text}}
			for _, name := range []string{"to", "r", "t", "n", "b", "client", "table", "page", "embed", "origin", "MTMID", "key"} {
				values.Set(name, text)
			}
			a.path += "?" + values.Encode() + "&%zz=" + url.QueryEscape(text)
		},
		"cookie": func(a *attack, text string) {
			a.header.Set("Cookie", "session="+line(text)+"; forecourt="+line(text)+"; "+line(text)+"; __Host-session="+url.QueryEscape(text))
		},
		"header": func(a *attack, text string) {
			for _, name := range []string{
				"Referer", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id",
				"Idempotency-Key", "HX-Request", "HX-Target", "HX-Current-URL", "If-None-Match", "If-Modified-Since", "Range", "Authorization", "Prefer", "Traceparent",
				"X-HTTP-Method-Override", "Last-Event-ID",
			} {
				a.header.Set(name, line(text))
			}
		},
		"form": func(a *attack, text string) {
			values := url.Values{text: {text}}
			for _, name := range []string{
				"email", "password", "confirm", "to", "name", "card", "exp", "cvc", "key", "done", "undo", "sold", "token", "decision", "reason", "entity", "step", "url", "amount", "currency",
			} {
				values.Set(name, text)
			}
			body(a, "application/x-www-form-urlencoded", values.Encode()+"&"+text)
		},
		"JSON": func(a *attack, text string) {
			quoted, err := json.Marshal(text)
			check.Must(t, err)
			q := string(quoted)
			body(a, "application/json", `{`+q+`:`+q+`,"uid":`+q+`,"code":[`+q+`],"name":{"a":`+q+`},"email":`+q+`,"password":`+q+`,"wallet":`+q+`,"merchantId":`+q+
				`,"trxId":`+q+`,"validationURL":`+q+`,"endpoint":`+q+`,"data":`+q+`,"token":`+q+`}`)
		},
		"parts": func(a *attack, text string) {
			var form bytes.Buffer
			w := multipart.NewWriter(&form)
			for _, name := range []string{"front", "back", "name", "given", text} {
				part, err := w.CreateFormFile(name, text)
				check.Must(t, err)
				_, _ = part.Write([]byte(text))
			}
			check.Must(t, w.Close())
			body(a, w.FormDataContentType(), form.String())
		},
	}
}

// hostileRoutes sends hostile texts in every place of a request to every route, signed in as somebody who may see most of them.
// Each route gets two of the texts in each place; over all routes, every text is sent in every place.
func hostileRoutes(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.SignedIn(t)
	id := app.Order(t)
	good := strings.NewReplacer("{client}", "panezski", "{id}", id, "{docId}", "demo-invite", "{code}", "demo", "{page}", "x", "{token}", "x", "{step}", "x",
		"{reference}", "x", "{number}", "1", "{side}", "front", "{uuid}", "x", "{project}", "x", "*", "x").Replace
	texts := hostile()
	next := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(routesOf(app))) {
		method, pattern, _ := strings.Cut(name, " ")
		if name == "POST /signout" { // it would end the session
			continue
		}
		for place, put := range places(t, pattern) {
			if place == "path" && !parameter.MatchString(pattern) || place != "path" && strings.HasSuffix(pattern, "/events") { // a stream does not end
				continue
			}
			for range 2 {
				text := texts[next[place]%len(texts)]
				next[place]++
				a := &attack{path: good(pattern), header: http.Header{"Sec-Fetch-Site": {"same-origin"}}}
				put(a, text)
				count(t, name+" "+place+" "+text, app.Do(t, method, a.path, a.body, a.header))
			}
		}
	}
	for place, sent := range next {
		if sent < len(texts) {
			t.Errorf("%d texts, but %d requests with one as %s", len(texts), sent, place)
		}
	}
}

const jsonType, formType = "application/json", "application/x-www-form-urlencoded"

// bodies are requests with places for a text that places does not know: within a basket, a card, a value of JSON or a line of a file. Each
// gets every text: %T as it is, %Q escaped for a form or an address, %J as JSON, and %V as four kinds of value of JSON.
var bodies = []struct{ path, media, body string }{
	{"/%Q", "", ""},
	{"/static/brand/%Q", "", ""},
	{"/pos/panezski/order?t=%Q&b=1x1&k=%Q", "", ""},
	{"/demo/qr/print?client=%Q&tables=%Q", "", ""},
	{"/search?phoneNumber=%Q&displayName=%Q", "", ""},

	{"/pos/panezski", formType, "%T"},
	{"/pos/%Q", formType, "add=1"},
	{"/pos/panezski?b=1x1", formType, "qty.%Q=%Q&qty.1=%Q&add=%Q&key=%Q"},
	{"/pos/panezski/order?b=1x1&k=%Q", formType, "qty.1=1&name=%Q&amount=%Q&remove=%Q&key=%Q"},
	{"/pos/panezski/order?b=1x1&n=%Q", formType, "qty.1=1&name=%Q&amount=5.50"},
	{"/pos/panezski/{id}", formType, "name=%Q&card=%Q&exp=%Q&cvc=%Q&email=%Q&key=%Q"},
	{"/pos/%Q/%Q", formType, "name=Ann&card=4111111111111111&exp=12/34&cvc=123&key=%Q"},
	{"/pos/panezski/%Q/retry", formType, ""},
	{"/onboarding/tokengen/demo-invite", formType, "email=%Q&secretKey=%Q&password=%Q&userIndex=%Q"},

	{"/api/pos", jsonType, `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"amount":%V}`},
	{"/api/pos", jsonType, `{"merchantId":"panezski","order":[{"id":%V,"name":%V,"qty":1}]}`},
	{"/api/pos", jsonType, `{"merchantId":"panezski","order":%V}`},
	{"/api/pos", jsonType, "%V"},
	{"/api/pay", jsonType, "%V"},
	{"/api/pos", jsonType, `{"merchantId":%J,"order":[{"id":1,"qty":1}],"name":%J}`},
	{"/api/pos", jsonType, `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"name":%J,"table":%J}`},
	{"/api/pos", jsonType, `{"merchantId":"panezski","order":[{"id":1,"qty":1}],"description":%J,"source":%J,"trxRef":%J,"pushToken":%J}`},
	{"/api/pay", jsonType, `{"merchantId":"panezski","trxId":%J,"cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`},
	{"/api/pay", jsonType, `{"merchantId":%J,"trxId":"{id}","cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`},
	{"/api/pay", jsonType, `{"merchantId":"panezski","trxId":"{id}","cardholder":%J,"pan":%J,"exp":%J,"cvc":%J,"cEmail":%J}`},

	{"/api/batch", jsonType, `[{"amount":%J}]`},
	{"/api/batch", jsonType, `[%V]`},
	{"/api/batch", jsonType, `[{"amount":"1","currency":%J,"reference":%J,"description":%J,"expires":%J}]`},
	{"/api/batch", jsonType, `[{"amount":"1","reference":%J,"description":%J}]`},
	{"/api/batch", "text/csv", "amount,reference,description\n1,%T,%T"},
	{"/api/batch", "text/csv", "amount;%T\n1;%T"},
	{"/api/batch", "text/csv", "amount\n%T"},
	{"/api/batch", "text/csv", "\xff\xfe%T"},
}

// hostileBodies sends every text in every place of bodies, to a client that holds a bearer token.
func hostileBodies(t *testing.T, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	token := app.Bearer(t, "panezski")
	send := func(path, media, body string) {
		method, header := http.MethodGet, http.Header{}
		if media != "" {
			method, header = http.MethodPost, http.Header{"Content-Type": {media}, "Authorization": {"Bearer " + token}}
		}
		got := app.Do(t, method, path, strings.NewReader(body), header)
		count(t, path+" "+body, got)
		if media == jsonType && got.Header.Get("Content-Type") != jsonType {
			t.Errorf("API-05 %.80q: %s", body, got.Header.Get("Content-Type"))
		}
	}
	for _, text := range hostile() {
		quoted, err := json.Marshal(text)
		check.Must(t, err)
		q := string(quoted)
		for _, to := range bodies {
			path := strings.NewReplacer("%Q", url.PathEscape(text), "{id}", id)
			if strings.Contains(to.path, "?") {
				path = strings.NewReplacer("%Q", url.QueryEscape(text), "{id}", id)
			}
			values := []string{q, text, "[" + q + "]", `{"a":` + q + `}`}
			if !strings.Contains(to.body, "%V") {
				values = values[:1]
			}
			for _, value := range values {
				body := strings.NewReplacer("%T", text, "%Q", url.QueryEscape(text), "%J", q, "%V", value, "{id}", id).Replace(to.body)
				send(path.Replace(to.path), to.media, body)
			}
		}
	}
	send("/api/pos", jsonType, strings.Repeat(`{"a":`, 12000))
	send("/api/pay", jsonType, strings.Repeat(`[`, 16000))
}
