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
	"testing"

	"forecourt/app/apptest"
)

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
			if err != nil {
				t.Fatal(err)
			}
			q := string(quoted)
			body(a, "application/json", `{`+q+`:`+q+`,"uid":`+q+`,"code":[`+q+`],"name":{"a":`+q+`},"email":`+q+`,"password":`+q+`,"wallet":`+q+`,"merchantId":`+q+
				`,"trxId":`+q+`,"validationURL":`+q+`,"endpoint":`+q+`,"data":`+q+`,"token":`+q+`}`)
		},
		"parts": func(a *attack, text string) {
			var form bytes.Buffer
			w := multipart.NewWriter(&form)
			for _, name := range []string{"front", "back", "name", "given", text} {
				part, err := w.CreateFormFile(name, text)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = part.Write([]byte(text))
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			body(a, w.FormDataContentType(), form.String())
		},
	}
}

// parts is how many sites share the routes. There are several because each site waits for its database.
const parts = 3

// hostileRoutes sends hostile texts in every place of a request to every route of one part, signed in as somebody who may see most routes.
// Each route gets a few of the texts in each place; over all routes, every text is sent in every place.
func hostileRoutes(t *testing.T, part int, count func(t *testing.T, what string, got apptest.Answer)) {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	id := app.Order(t)
	good := strings.NewReplacer("{client}", "panezski", "{id}", id, "{docId}", "demo-invite", "{code}", "demo", "{page}", "x", "{token}", "x", "{step}", "x",
		"{reference}", "x", "{number}", "1", "{side}", "front", "{uuid}", "x", "{project}", "x", "*", "x").Replace
	texts := hostile()
	next := map[string]int{}
	for i, name := range slices.Sorted(maps.Keys(routesOf(app))) {
		method, pattern, _ := strings.Cut(name, " ")
		if name == "POST /signout" { // it would end the sessions
			continue
		}
		for place, put := range places(t, pattern) {
			if place == "path" && !parameter.MatchString(pattern) || place != "path" && strings.HasSuffix(pattern, "/events") { // a stream does not end
				continue
			}
			for range hostileRounds {
				text := texts[next[place]%len(texts)]
				next[place]++
				if i%parts != part {
					continue
				}
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
