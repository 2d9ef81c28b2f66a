package main

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
	lateAt   *atomic.Int64 // when chargedLate was last used, in seconds since 1970
	from     string        // the address that it claims to have; "" for that of the connection
}

func newBrowser(listen string) *browser {
	return &browser{base: "http://" + listen, mistakes: &atomic.Int64{}, lateAt: &atomic.Int64{}, http: &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			DialContext:  (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			MaxIdleConns: 256, MaxIdleConnsPerHost: 256, DisableCompression: true,
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

// withCookies returns the same browser with its own cookies.
func (b *browser) withCookies() *browser {
	other, client := *b, *b.http
	client.Jar, _ = cookiejar.New(nil) // without options it never fails
	other.http = &client
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

func (b *browser) get(ctx context.Context, address string) (answer, error) {
	return b.do(ctx, http.MethodGet, address, nil, nil)
}

func (b *browser) postForm(ctx context.Context, address string, form url.Values) (answer, error) {
	header := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	return b.do(ctx, http.MethodPost, address, strings.NewReader(form.Encode()), header)
}

func (b *browser) postJSON(ctx context.Context, address, key string, body any) (answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	header := map[string]string{"Content-Type": "application/json", "Idempotency-Key": key}
	return b.do(ctx, http.MethodPost, address, bytes.NewReader(text), header)
}

func first(find *regexp.Regexp, text string) string {
	if found := find.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// shop is a business of the demo data, and the items that can be ordered there without a choice.
type shop struct {
	code  string
	items []int64
}

// live is the business in live mode, and foreign is one in test mode that takes another currency.
const live, foreign = "tahbella", "moollar"

// menu reads a shop's menu.
func (b *browser) menu(ctx context.Context, code string) (shop, error) {
	a, err := b.get(ctx, "/api/pos/"+code)
	var menu struct {
		Items []struct {
			ID                 int64
			Available, SoldOut bool
			OptionGroups       []json.RawMessage
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(a.body), &menu)
	}
	at := shop{code: code}
	for _, item := range menu.Items {
		if item.Available && !item.SoldOut && len(item.OptionGroups) == 0 {
			at.items = append(at.items, item.ID)
		}
	}
	if err != nil || len(at.items) == 0 {
		return at, fmt.Errorf("the menu of %s: HTTP %d, nothing on it, %w", code, a.status, err)
	}
	return at, nil
}

// order makes an order and returns its transaction, or "" if that fails. refused reports that the order as it is will never be made.
func (s shop) order(ctx context.Context, b *browser, key string, item int64, qty int) (trx string, refused bool) {
	body := map[string]any{"merchantId": s.code, "order": []map[string]any{{"id": item, "qty": qty}}}
	a, err := b.postJSON(ctx, "/api/pos", key, body)
	var made struct{ TrxID string }
	if err != nil || a.status/100 != 2 || json.Unmarshal([]byte(a.body), &made) != nil {
		return "", err == nil && a.status == http.StatusConflict
	}
	return made.TrxID, false
}
