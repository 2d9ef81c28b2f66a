package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// street is the demo's businesses with their guests, kitchens and desks.
type street struct {
	url       string
	client    http.Client
	shops     []*tradeShop
	tape      *tape
	following atomic.Int64
	door      sync.Mutex // one person signs in at a time
}

// tradeShop is one business.
type tradeShop struct {
	code string
	back chan string // paid orders that its desk may refund

	mu    sync.Mutex
	items []int64 // that can be ordered now
}

var streetCodes = []string{"panezski", "moollar", "sabona", "tahbella"}

// open reads the menus.
func (s *street) open(ctx context.Context) error {
	s.client = http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, code := range streetCodes {
		shop := &tradeShop{code: code, back: make(chan string, 1000)}
		if err := shop.read(ctx, s.url); err != nil {
			return err
		}
		s.shops = append(s.shops, shop)
	}
	return nil
}

// read reads what can be ordered now. It changes while the street trades: some items are only sold at some hours.
func (t *tradeShop) read(ctx context.Context, url string) error {
	var menu struct {
		Items []struct {
			ID      int64             `json:"id"`
			SoldOut bool              `json:"soldOut"`
			Groups  []json.RawMessage `json:"optionGroups"`
		} `json:"items"`
	}
	c := customer{url: url}
	if err := c.call(ctx, http.MethodGet, "/api/pos/"+t.code, nil, &menu); err != nil {
		return err
	}
	var items []int64
	for _, item := range menu.Items {
		if !item.SoldOut && len(item.Groups) == 0 {
			items = append(items, item.ID)
		}
	}
	if len(items) < 2 {
		return errors.New("the menu of " + t.code + " has nothing to order")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items = items
	return nil
}

// choose returns two items; which ones depends on n.
func (t *tradeShop) choose(n int) (first, second int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.items[n%len(t.items)], t.items[(n+1)%len(t.items)]
}

const (
	declinedEach = 20 // one in so many guests first uses a card that is declined
	refundedEach = 50 // one in so many guests gets a refund

	approvedCard, declinedCard = "4111111111111111", "4000000000000002"

	// patience is how long a guest waits for the kitchen.
	patience = 5 * time.Minute
)

// visit plays a guest: menu, order, payment, and the order's page until the kitchen is done.
func (s *street) visit(ctx context.Context, n int) error {
	shop := s.shops[n%len(s.shops)]
	g := guest{street: s, shop: shop, from: fmt.Sprintf("100.%d.%d.%d", 64+n>>16%64, n>>8%256, n%256)}
	if _, err := g.get(ctx, "menu page", "/pos/"+shop.code+"?t="+fmt.Sprint(n%40+1)); err != nil {
		return err
	}
	id, err := g.order(ctx, n)
	if refused := (*statusError)(nil); errors.As(err, &refused) && refused.status == http.StatusConflict {
		// The menu has changed since the guest opened it.
		if err := shop.read(ctx, s.url); err != nil {
			return err
		}
		id, err = g.order(ctx, n)
	}
	if err != nil {
		return err
	}
	page := "/pos/" + shop.code + "/" + id
	if _, err := g.get(ctx, "payment page", page); err != nil {
		return err
	}
	if n%declinedEach == 0 {
		if known, err := g.pay(ctx, id, declinedCard, "declined"); err != nil || !known {
			return err // nobody pays again while a payment is under way
		}
	}
	if _, err := g.pay(ctx, id, approvedCard, "paid"); err != nil {
		return err
	}
	if err := g.follow(ctx, page); err != nil {
		return fmt.Errorf("an order page that is followed: %w", err)
	}
	if n%refundedEach == 0 {
		shop.back <- id
	}
	_, err = g.get(ctx, "payment page", page)
	return err
}

// guest is one browser.
type guest struct {
	*street
	shop *tradeShop
	from string // its address
}

// order orders two items and returns the order's id.
func (g *guest) order(ctx context.Context, n int) (id string, err error) {
	var made struct {
		TrxID string `json:"trxId"`
	}
	first, second := g.shop.choose(n / 4)
	err = g.post(ctx, "order", "/api/pos", map[string]any{
		"merchantId": g.shop.code, "table": fmt.Sprint(n%40 + 1), "source": "diy-pos",
		"order": []any{map[string]any{"id": first, "qty": 1 + n%3}, map[string]any{"id": second, "qty": 1}},
	}, &made)
	return made.TrxID, err
}

// pay pays by card and checks the outcome. On a slow machine the outcome may not be known yet; then the order's page shows it later.
func (g *guest) pay(ctx context.Context, id, number, want string) (known bool, err error) {
	var paid struct {
		State  string `json:"state"`
		Status struct {
			ResponseType string `json:"responsetype"`
		} `json:"status"`
	}
	err = g.post(ctx, "payment", "/api/pay", map[string]any{
		"merchantId": g.shop.code, "trxId": id, "cardholder": "Ann Bench", "pan": number, "tryAgain": true,
		"exp": "12/" + time.Now().AddDate(3, 0, 0).Format("06"), "cvc": "123", "cEmail": "",
	}, &paid)
	switch approved := paid.Status.ResponseType == "1"; {
	case err != nil:
		return false, err
	case paid.State == "processing":
		g.tape.count("later")
		return false, nil
	case approved != (want == "paid"):
		return false, fmt.Errorf("a payment that should be %s has the response type %q", want, paid.Status.ResponseType)
	}
	g.tape.count(want)
	return true, nil
}

// follow keeps the order's page open until there is nothing more to follow.
func (g *guest) follow(ctx context.Context, path string) error {
	u, err := url.Parse(g.url)
	if err != nil {
		return err
	}
	p, err := follow(ctx, u.Host, path+"/events", g.from)
	defer leave([]*page{p})
	if err != nil {
		return err
	}
	g.following.Add(1)
	defer g.following.Add(-1)
	stop := context.AfterFunc(ctx, func() { _ = p.conn.Close() })
	defer stop()
	if err := p.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, p.reader)
	return err
}

// get reads a page.
func (g *guest) get(ctx context.Context, kind, path string) ([]byte, error) {
	return g.send(ctx, &g.client, kind, http.MethodGet, path, nil, http.Header{"Accept": {"text/html"}, "X-Forwarded-For": {g.from}}, http.StatusOK)
}

// post sends JSON.
func (g *guest) post(ctx context.Context, kind, path string, value, into any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	answer, err := g.send(ctx, &g.client, kind, http.MethodPost, path, body, http.Header{
		"Content-Type": {"application/json"}, "Idempotency-Key": {rand.Text()}, "X-Forwarded-For": {g.from}, "Sec-Fetch-Site": {"same-origin"},
	}, http.StatusOK, http.StatusCreated, http.StatusAccepted)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// send sends a request and measures the time until its answer is read.
func (s *street) send(ctx context.Context, client *http.Client, kind, method, path string, body []byte, header http.Header, want ...int) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	start := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	s.tape.time(kind, time.Since(start))
	for _, status := range want {
		if res.StatusCode == status {
			return answer, nil
		}
	}
	return nil, unexpected(res, strings.SplitN(path, "?", 2)[0], answer)
}
