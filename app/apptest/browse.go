package apptest

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

// Answer is a response whose body has been read.
type Answer struct {
	Status   int
	Header   http.Header
	Body     string
	Location string
	asked    string // method and address
}

// HasHeader checks a header: "" means that there is none, "…" that there is one.
func (a Answer) HasHeader(t testing.TB, name, value string) Answer {
	t.Helper()
	if got := a.Header.Get(name); got != value && (value != "…" || got == "") {
		t.Errorf("%s: the header %s is %q, want %q", a.asked, name, got, value)
	}
	return a
}

// Anonymous returns the body without the request's id, which differs in every answer.
func (a Answer) Anonymous() string {
	return strings.ReplaceAll(a.Body, a.Header.Get("X-Request-Id"), "REQUEST")
}

// Want checks an answer's status, and that its body has each of the texts.
func (a Answer) Want(t testing.TB, status int, what string, texts ...string) Answer {
	t.Helper()
	if a.Status != status {
		t.Errorf("%s: status %d, want %d; location %q, body %.1000s", what, a.Status, status, a.Location, a.Body)
	}
	for _, text := range texts {
		check.Contains(t, a.Body, text, "%s: the body", what)
	}
	return a
}

// Must is Want that ends the test if the status is another.
func (a Answer) Must(t testing.TB, status int, what string, texts ...string) Answer {
	t.Helper()
	if a.Want(t, status, what, texts...); a.Status != status {
		t.FailNow()
	}
	return a
}

// Leads ends the test unless an answer leads a browser to an address; one that ends in "…" stands for every address that begins so.
func (a Answer) Leads(t testing.TB, address, what string) {
	t.Helper()
	start, open := strings.CutSuffix(address, "…")
	if a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Location, start) || !open && a.Location != address {
		t.Fatalf("%s: %d to %q, want %q; body %.1000s", what, a.Status, a.Location, address, a.Body)
	}
}

// Get requests a path.
func (a *App) Get(t testing.TB, path string) Answer {
	t.Helper()
	return a.Do(t, http.MethodGet, path, nil, nil)
}

// Part requests a page as htmx does, and checks that the answer is no whole page, but the element that begins so.
func (a *App) Part(t testing.TB, path, start string) Answer {
	t.Helper()
	got := a.Do(t, http.MethodGet, path, nil, http.Header{"Hx-Request": {"true"}})
	if strings.Contains(got.Body, "<html") || !strings.HasPrefix(strings.TrimSpace(got.Body), start) {
		t.Errorf("%s: htmx gets %.200s", path, got.Body)
	}
	return got
}

// Post sends a form like a browser without scripts.
func (a *App) Post(t testing.TB, path string, form url.Values) Answer {
	t.Helper()
	return a.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"},
	})
}

// PostFile posts a form whose last field is a file.
func (a *App) PostFile(t testing.TB, path string, form url.Values, field string, content []byte) Answer {
	t.Helper()
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for name, values := range form {
		for _, value := range values {
			_ = parts.WriteField(name, value) // writing to a buffer cannot fail
		}
	}
	part, err := parts.CreateFormFile(field, "file")
	check.Must(t, err)
	_, _ = part.Write(content)
	_ = parts.Close()
	return a.Do(t, http.MethodPost, path, &body, http.Header{"Content-Type": {parts.FormDataContentType()}, "Sec-Fetch-Site": {"same-origin"}})
}

// PostJSON sends a value to the API. header alternates names and values.
func (a *App) PostJSON(t testing.TB, path string, value any, header ...string) Answer {
	t.Helper()
	body, err := json.Marshal(value)
	check.Must(t, err)
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return a.Do(t, http.MethodPost, path, bytes.NewReader(body), h)
}

// Do sends a request; a path without a host goes to the site. A Host in header becomes the request's host. Unless header has a Cookie, the
// request says that the browser has the site's stylesheets, so that pages do not include them.
func (a *App) Do(t testing.TB, method, path string, body io.Reader, header http.Header) Answer {
	t.Helper()
	address := path
	if strings.HasPrefix(path, "/") {
		address = a.URL + path
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, body)
	check.Must(t, err)
	for name, values := range header {
		req.Header[name] = values
	}
	req.Host = header.Get("Host")
	if header["Cookie"] == nil {
		for _, held := range []string{"customer.css", "site.css"} {
			req.AddCookie(web.StyleCookie(held, false))
		}
	}
	res, err := a.Client.Do(req)
	check.Must(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	check.Must(t, err)
	return Answer{
		Status: res.StatusCode, Header: res.Header, Body: string(text), Location: res.Header.Get("Location"), asked: method + " " + path,
	}
}

// JSON decodes an answer's body.
func JSON[T any](t testing.TB, a Answer) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(a.Body), &value); err != nil {
		t.Fatalf("status %d, body %q: %v", a.Status, a.Body, err)
	}
	return value
}

// Capture is a line of the gateway's ledger.
type Capture struct {
	Kind, Reference, TrxID, TransactionID, Amount, Currency string
	Arrivals                                                int
}

// Captures returns what the sandbox charged for a transaction.
func (a *App) Captures(t testing.TB, trx string) []Capture {
	t.Helper()
	answer := a.Do(t, http.MethodGet, a.gateway.URL+"/ledger", nil, http.Header{"Authorization": {"Bearer " + key}})
	all := JSON[struct{ Entries []Capture }](t, answer)
	var found []Capture
	for _, c := range all.Entries {
		if c.TrxID == trx {
			found = append(found, c)
		}
	}
	return found
}

// Acquirer posts to the sandbox's internal addresses, which only its operators can reach: /sandbox/dispute, /sandbox/payout.
func (a *App) Acquirer(t testing.TB, path string, value any) Answer {
	t.Helper()
	body, err := json.Marshal(value)
	check.Must(t, err)
	return a.Do(t, http.MethodPost, a.gateway.URL+path, bytes.NewReader(body), http.Header{"Authorization": {"Bearer " + key}})
}

// Receipt pays a new order of panezski as Ann Lee, who gives an address, and returns the transaction's id and the path of its receipt.
func (a *App) Receipt(t testing.TB, email string) (id, path string) {
	t.Helper()
	id = a.Order(t)
	card := url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email}}
	a.Post(t, "/pos/panezski/"+id, card)
	Eventually(t, "there is a receipt", func() bool {
		return a.Pool.QueryRow(t.Context(), "SELECT '/receipt/' || token FROM receipt WHERE transaction_id = $1", id).Scan(&path) == nil
	})
	return id, path
}

// Order orders the first item on panezski's menu and returns the transaction's id.
func (a *App) Order(t testing.TB) string {
	t.Helper()
	answer := a.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "order": []map[string]any{{"name": "Butter Croissant", "qty": 2}}, "table": "4",
		"description": "Food Order", "source": "diy-pos",
	})
	if answer.Status != http.StatusCreated {
		t.Fatalf("order: %d %s", answer.Status, answer.Body)
	}
	return JSON[struct{ TrxID string }](t, answer).TrxID
}
