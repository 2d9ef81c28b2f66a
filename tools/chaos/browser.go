package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

const shop = "panezski"

// browser talks to the program as browsers do. An error means that no answer came.
type browser struct {
	base     string
	http     *http.Client
	mistakes atomic.Int64 // answers of 500 and above other than 503, which says that something is away
}

func newBrowser(listen string, atOnce int) *browser {
	return &browser{base: "http://" + listen, http: &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			DialContext:  (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			MaxIdleConns: 4 * atOnce, MaxIdleConnsPerHost: 4 * atOnce, DisableCompression: true,
		},
		// The payer follows by hand: the way may lead to the bank.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

type answer struct {
	status   int
	location string
	body     string
}

func (b *browser) do(ctx context.Context, method, address string, body io.Reader, header map[string]string) (answer, error) {
	if strings.HasPrefix(address, "/") {
		address = b.base + address
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := b.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusInternalServerError && res.StatusCode != http.StatusServiceUnavailable {
		b.mistakes.Add(1)
	}
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header.Get("Location"), string(text)}, err
}

func (b *browser) postForm(ctx context.Context, address string, form url.Values) (answer, error) {
	return b.do(ctx, http.MethodPost, address, strings.NewReader(form.Encode()), map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
}

func (b *browser) postJSON(ctx context.Context, address, key string, body any) (answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	return b.do(ctx, http.MethodPost, address, bytes.NewReader(text), map[string]string{"Content-Type": "application/json", "Idempotency-Key": key})
}

// menu returns the ids of what can be ordered.
func (b *browser) menu(ctx context.Context) ([]int64, error) {
	a, err := b.do(ctx, http.MethodGet, "/api/pos/"+shop, nil, nil)
	if err != nil {
		return nil, err
	}
	var menu struct {
		Items []struct {
			ID                 int64
			Available, SoldOut bool
		}
	}
	if err := json.Unmarshal([]byte(a.body), &menu); err != nil {
		return nil, fmt.Errorf("menu: HTTP %d, %w", a.status, err)
	}
	var ids []int64
	for _, item := range menu.Items {
		if item.Available && !item.SoldOut {
			ids = append(ids, item.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("menu: HTTP %d, there is nothing on it", a.status)
	}
	return ids, nil
}

// order makes an order and returns its transaction, "" while that does not succeed.
func (b *browser) order(ctx context.Context, key string, item int64, qty int) string {
	body := map[string]any{"merchantId": shop, "order": []map[string]any{{"id": item, "qty": qty}}}
	a, err := b.postJSON(ctx, "/api/pos", key, body)
	var made struct{ TrxID string }
	if err != nil || a.status/100 != 2 || json.Unmarshal([]byte(a.body), &made) != nil {
		return ""
	}
	return made.TrxID
}

// page is a payment page as its reader sees it.
type page struct {
	state string // "" when it did not come
	key   string // of the form
	bank  string // where 3-D Secure goes on
}

var (
	stateOf = regexp.MustCompile(`<section id="payment"[^>]* data-state="([a-z]+)"`)
	keyOf   = regexp.MustCompile(`<input type="hidden" name="key" value="([^"]+)"`)
	bankOf  = regexp.MustCompile(`href="(http[^"]+/3ds/[^"]+)"`)
)

func (b *browser) look(ctx context.Context, trx string) page {
	a, err := b.do(ctx, http.MethodGet, "/pos/"+shop+"/"+trx, nil, nil)
	if err != nil || a.status != http.StatusOK {
		return page{}
	}
	return page{first(stateOf, a.body), first(keyOf, a.body), first(bankOf, a.body)}
}

func first(find *regexp.Regexp, text string) string {
	if found := find.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// way is how a payer pays.
type way int

const (
	byForm   way = iota
	byScript     // the way of the page's own script
	byWallet
	ways // how many there are
)

// submit presses Pay; the page shows the outcome. A wallet's token leads to the card's outcome.
func (b *browser) submit(ctx context.Context, trx, key, card string, by way) {
	switch by {
	case byScript:
		_, _ = b.postJSON(ctx, "/api/pay", key, map[string]string{
			"merchantId": shop, "trxId": trx, "cardholder": "Pat Payer", "pan": card, "exp": "12/34", "cvc": "123",
			"cEmail": mailboxOf(trx),
		})
	case byWallet:
		_, _ = b.postJSON(ctx, "/api/wallet", key, map[string]string{
			"wallet": "gpay", "merchantId": shop, "transid": trx, "token": token(card), "source": "PayLink",
			"email": mailboxOf(trx),
		})
	default:
		_, _ = b.postForm(ctx, "/pos/"+shop+"/"+trx, url.Values{
			"key": {key}, "name": {"Pat Payer"}, "card": {card}, "exp": {"12/34"}, "cvc": {"123"}, "email": {mailboxOf(trx)},
		})
	}
}

// tryAgain presses Try Again, or Cancel at a challenge.
func (b *browser) tryAgain(ctx context.Context, trx string) {
	_, _ = b.postForm(ctx, "/pos/"+shop+"/"+trx+"/retry", nil)
}

// decide answers on the bank's page.
func (b *browser) decide(ctx context.Context, bank string, approve bool) {
	decision := "refuse"
	if approve {
		decision = "approve"
	}
	_, _ = b.postForm(ctx, bank, url.Values{"decision": {decision}})
}
