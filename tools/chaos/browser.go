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

// browser sends requests to the program as browsers do. An error means that no answer came.
type browser struct {
	base     string
	http     *http.Client
	mistakes *atomic.Int64 // answers of 500 and above except 503, which means that something is unavailable
	from     string        // the address that it claims to have; "" for that of the connection
}

func newBrowser(listen string, atOnce int) *browser {
	return &browser{base: "http://" + listen, mistakes: &atomic.Int64{}, http: &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			DialContext:  (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			MaxIdleConns: 4 * atOnce, MaxIdleConnsPerHost: 4 * atOnce, DisableCompression: true,
		},
		// The payer follows redirects explicitly, because they may lead to the bank.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// behind returns the same browser with its own address.
func (b *browser) behind(n int) *browser {
	other := *b
	other.from = fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	return &other
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
	if b.from != "" {
		req.Header.Set("X-Forwarded-For", b.from)
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

// insist sends a request until an answer comes that is not 503, as a person does who is told to try again. After a while it returns what it got.
func insist(ctx context.Context, send func(context.Context) (answer, error)) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		a, err := send(ctx)
		if err == nil && a.status != http.StatusServiceUnavailable || ctx.Err() != nil {
			return a, err
		}
		pause(ctx, reload)
	}
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

// page is what a reader sees of a payment page.
type page struct {
	state string // "" if the page did not come
	key   string // of the form
	bank  string // where 3-D Secure continues
}

var (
	stateOf = regexp.MustCompile(`<section id="payment"[^>]* data-state="([a-z]+)"`)
	keyOf   = regexp.MustCompile(`<input type="hidden" name="key" value="([^"]+)"`)
	bankOf  = regexp.MustCompile(`href="(http[^"]+/3ds/[^"]+)"`)
)

// payment is a transaction and its payer's browser.
type payment struct {
	*browser
	shop, trx string
}

func (p payment) path() string { return "/pos/" + p.shop + "/" + p.trx }

func (p payment) look(ctx context.Context) page {
	a, err := p.do(ctx, http.MethodGet, p.path(), nil, nil)
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
	byScript     // like the page's own script
	byWallet
	ways // the number of ways
)

// submit presses Pay; the page shows the outcome. A wallet's token has the same outcome as the card. submit returns the answer's status, or 0
// without an answer.
func (p payment) submit(ctx context.Context, key, card string, by way) int {
	var a answer
	switch by {
	case byScript:
		a, _ = p.postJSON(ctx, "/api/pay", key, map[string]string{
			"merchantId": p.shop, "trxId": p.trx, "cardholder": "Pat Payer", "pan": card, "exp": "12/34", "cvc": "123",
			"cEmail": mailboxOf(p.trx),
		})
	case byWallet:
		a, _ = p.postJSON(ctx, "/api/wallet", key, map[string]string{
			"wallet": "gpay", "merchantId": p.shop, "transid": p.trx, "token": token(card), "source": "PayLink",
			"email": mailboxOf(p.trx),
		})
	default:
		a, _ = p.postForm(ctx, p.path(), url.Values{
			"key": {key}, "name": {"Pat Payer"}, "card": {card}, "exp": {"12/34"}, "cvc": {"123"}, "email": {mailboxOf(p.trx)},
		})
	}
	return a.status
}

// tryAgain presses Try Again or, during a challenge, Cancel.
func (p payment) tryAgain(ctx context.Context) {
	_, _ = p.postForm(ctx, p.path()+"/retry", nil)
}

// decide approves or refuses a payment on the bank's page.
func (b *browser) decide(ctx context.Context, bank string, approve bool) {
	decision := "refuse"
	if approve {
		decision = "approve"
	}
	_, _ = b.postForm(ctx, bank, url.Values{"decision": {decision}})
}
