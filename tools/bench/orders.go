package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// customer orders and pays through the JSON API, as the pages' scripts do.
type customer struct {
	client http.Client
	url    string
	item   int64 // the item that everybody orders
}

func newCustomer(ctx context.Context, address string) (*customer, error) {
	c := &customer{url: address, client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, TLSClientConfig: anyCertificate}}}
	var menu struct {
		Items []struct {
			ID      int64 `json:"id"`
			SoldOut bool  `json:"soldOut"`
		} `json:"items"`
	}
	if err := c.call(ctx, http.MethodGet, "/api/pos/panezski", nil, &menu); err != nil {
		return nil, err
	}
	for _, item := range menu.Items {
		if !item.SoldOut {
			c.item = item.ID
			return c, nil
		}
	}
	return nil, errors.New("the menu has nothing to order")
}

// order makes a transaction and returns its id.
func (c *customer) order(ctx context.Context) (string, error) {
	var made struct {
		TrxID string `json:"trxId"`
	}
	err := c.call(ctx, http.MethodPost, "/api/pos", map[string]any{
		"merchantId": "panezski", "table": "4", "order": []any{map[string]any{"id": c.item, "qty": 2}},
	}, &made)
	return made.TrxID, err
}

// pay pays a transaction with the card that every sandbox approves.
func (c *customer) pay(ctx context.Context, id string) error {
	var paid struct {
		Status struct {
			ResponseType string `json:"responsetype"`
		} `json:"status"`
	}
	err := c.call(ctx, http.MethodPost, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": id, "cardholder": "Ann Bench", "pan": "4111111111111111",
		"exp": "12/" + time.Now().AddDate(3, 0, 0).Format("06"), "cvc": "123",
	}, &paid)
	if err == nil && paid.Status.ResponseType != "1" {
		err = fmt.Errorf("the payment of %s was not approved", id)
	}
	return err
}

// call sends one request and reads the JSON answer, which has to be a 200 or 201.
func (c *customer) call(ctx context.Context, method, path string, body, into any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s %s answers %s", method, path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// orders measures whole orders, from the first byte of the order to the approved card, by 16 customers at once.
func (b *bench) orders(ctx context.Context, p *process) error {
	const each = 25
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return err
	}
	defer c.client.CloseIdleConnections()
	start := time.Now()
	taken, err := c.rush(ctx, each)
	if err != nil {
		return err
	}
	elapsed := time.Since(start)
	b.section("Order and pay by card, 16 customers at once, with the built-in gateway")
	b.known("orders paid", float64(len(taken))/elapsed.Seconds(), perSecond)
	b.known("slowest of a hundred (p99), order and payment together", percentile99(taken), milliseconds)
	return nil
}

// rush has every customer order and pay n times, and returns how long each order took.
func (c *customer) rush(ctx context.Context, each int) ([]time.Duration, error) {
	var mu sync.Mutex
	var taken []time.Duration
	group, ctx := errgroup.WithContext(ctx)
	for range connections {
		group.Go(func() error {
			for range each {
				start := time.Now()
				id, err := c.order(ctx)
				if err != nil {
					return err
				}
				if err := c.pay(ctx, id); err != nil {
					return err
				}
				mu.Lock()
				taken = append(taken, time.Since(start))
				mu.Unlock()
			}
			return nil
		})
	}
	return taken, group.Wait()
}
