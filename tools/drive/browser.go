package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Browser sends requests to the program as browsers do. An error means that no answer came.
type Browser struct {
	Base     string
	HTTP     *http.Client
	Mistakes *atomic.Int64 // answers of 500 and above except 503, which means that something is unavailable
	from     string        // the address that it claims to have; "" for that of the connection
}

// NewBrowser returns a browser without cookies. It does not follow redirects.
func NewBrowser(base string) *Browser {
	return &Browser{Base: base, Mistakes: &atomic.Int64{}, HTTP: &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			DialContext:  (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			MaxIdleConns: 256, MaxIdleConnsPerHost: 256,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Behind returns the same browser with its own address.
func (b *Browser) Behind(n int) *Browser {
	other := *b
	other.from = fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	return &other
}

// WithCookies returns the same browser with its own cookies.
func (b *Browser) WithCookies() *Browser {
	other, client := *b, *b.HTTP
	client.Jar, _ = cookiejar.New(nil) // without options it never fails
	other.HTTP = &client
	return &other
}

// Answer is what came back.
type Answer struct {
	Status   int
	Location string
	Body     string
}

// do sends a request to a path of the site or to a whole address.
func (b *Browser) do(ctx context.Context, method, address string, body io.Reader, header map[string]string) (Answer, error) {
	if strings.HasPrefix(address, "/") {
		address = b.Base + address
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return Answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if b.from != "" {
		req.Header.Set("X-Forwarded-For", b.from)
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := b.HTTP.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusInternalServerError && res.StatusCode != http.StatusServiceUnavailable {
		b.Mistakes.Add(1)
	}
	text, err := io.ReadAll(res.Body)
	return Answer{res.StatusCode, res.Header.Get("Location"), string(text)}, err
}

// Get requests a page.
func (b *Browser) Get(ctx context.Context, address string) (Answer, error) {
	return b.do(ctx, http.MethodGet, address, nil, nil)
}

// Post sends a form.
func (b *Browser) Post(ctx context.Context, address string, form url.Values) (Answer, error) {
	header := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	return b.do(ctx, http.MethodPost, address, strings.NewReader(form.Encode()), header)
}

// PostJSON sends JSON under an idempotency key.
func (b *Browser) PostJSON(ctx context.Context, address, key string, body any) (Answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	header := map[string]string{"Content-Type": "application/json", "Idempotency-Key": key}
	return b.do(ctx, http.MethodPost, address, bytes.NewReader(text), header)
}

// Follow reads a stream of events until it ends, however long that takes.
func (b *Browser) Follow(ctx context.Context, address string) (Answer, error) {
	patient, client := *b, *b.HTTP
	client.Timeout = 0
	patient.HTTP = &client
	return patient.do(ctx, http.MethodGet, address, nil, map[string]string{"Accept": "text/event-stream"})
}

// Item can be ordered without a choice.
type Item struct {
	ID  int64
	Loc string // where it is made
}

// Menu returns what can be ordered now at a business: three items at least.
func (b *Browser) Menu(ctx context.Context, code string) (items []Item, err error) {
	a, err := b.Get(ctx, "/api/pos/"+code)
	var menu struct {
		Items []struct {
			Item
			Available, SoldOut bool
			OptionGroups       []json.RawMessage
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(a.Body), &menu)
	}
	for _, item := range menu.Items {
		if item.Available && !item.SoldOut && len(item.OptionGroups) == 0 {
			items = append(items, item.Item)
		}
	}
	if err != nil || len(items) < 3 {
		return nil, fmt.Errorf("the menu of %s: HTTP %d, %d items to order, %w", code, a.Status, len(items), err)
	}
	return items, nil
}

// Order orders so many of each item and returns the id of the transaction, which is "" without one: a status of 409 says that this order
// will never be made. An order with the same key is made once.
func (b *Browser) Order(ctx context.Context, key, code, table string, qty int, items ...Item) (a Answer, trx string, err error) {
	var lines []map[string]any
	for _, item := range items {
		lines = append(lines, map[string]any{"id": item.ID, "qty": qty})
	}
	a, err = b.PostJSON(ctx, "/api/pos", key, map[string]any{"merchantId": code, "table": table, "source": "diy-pos", "order": lines})
	var made struct{ TrxID string }
	if err == nil && a.Status/100 == 2 {
		err = json.Unmarshal([]byte(a.Body), &made)
	}
	return a, made.TrxID, err
}

// Pay pays by card like the page's script; again is set after a payment that failed. approved is false for an outcome that is not known
// yet, too.
func (b *Browser) Pay(ctx context.Context, key, code, trx, card, email string, again bool) (a Answer, approved bool, err error) {
	a, err = b.PostJSON(ctx, "/api/pay", key, map[string]any{
		"merchantId": code, "trxId": trx, "cardholder": "Pat Payer", "pan": card, "exp": "12/34", "cvc": "123", "cEmail": email,
		"tryAgain": again,
	})
	var paid struct{ Status struct{ ResponseType string } }
	if err == nil && a.Status == http.StatusOK {
		err = json.Unmarshal([]byte(a.Body), &paid)
	}
	return a, paid.Status.ResponseType == "1", err
}

// Pause waits for d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
