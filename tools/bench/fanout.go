package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/internal/demo"
)

const (
	followed    = 1000 // orders, each open on one page
	idleStreams = 3000 // pages on which nothing happens

	sharing = 40 // pages in one connection, as behind a proxy that speaks HTTP/2

	unlimited = "LIMIT_STREAMS=5000" // because this process opens all of them
)

// fanout measures what open order pages cost, and how soon they show a tap in the kitchen. It raises the program's limit on pages
// per address, because this process opens all of them.
func (b *bench) fanout(ctx context.Context) error {
	if err := b.delivered(ctx); err != nil {
		return err
	}
	each, least, err := b.encrypted(ctx, 1)
	if err != nil {
		return err
	}
	b.known("memory of an order page that is followed, HTTP/2", each, kilobytes)
	b.atMost("against the plain handler", each/least, 2, times)
	each, _, err = b.encrypted(ctx, sharing)
	if err == nil {
		b.atMost(fmt.Sprintf("memory of an order page that is followed, HTTP/2, %d in a connection", sharing), each, 60, kilobytes)
	}
	return err
}

// delivered measures pages over HTTP/1.1.
func (b *bench) delivered(ctx context.Context) (err error) {
	p, err := b.serve(ctx, "fanout", unlimited)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	b.section(fmt.Sprintf("Order pages that are followed: a tap in the kitchen for each of %d orders, %d idle pages", followed, idleStreams))
	taken, err := deliver(ctx, p)
	if err != nil {
		return err
	}
	b.atMost("slowest of a hundred (p99), from a tap to its customer's page", percentile99(taken), 250, milliseconds)
	each, _, err := b.idle(ctx, p, "HTTP/1.1", 1)
	if err == nil {
		b.atMost("memory of an order page that is followed, HTTP/1.1", each, 60, kilobytes)
	}
	return err
}

// deliver pays for orders, opens the page of each, taps Done for one after another, and returns how long each page waited for the event.
func deliver(ctx context.Context, p *process) ([]time.Duration, error) {
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return nil, err
	}
	defer c.client.CloseIdleConnections()
	orders, err := c.buy(ctx, followed)
	if err != nil {
		return nil, err
	}
	k, err := newKitchen(ctx, c, orders[0])
	if err != nil {
		return nil, err
	}
	var taken []time.Duration
	pages, err := open(ctx, p.url, func(i int) string { return orders[i] }, followed, 1)
	defer leave(pages)
	if err != nil {
		return nil, err
	}
	for i, order := range orders {
		start := time.Now()
		if err := k.done(ctx, order); err != nil {
			return nil, err
		}
		if err := pages[i].nextEvent(); err != nil {
			return nil, err
		}
		taken = append(taken, time.Since(start))
	}
	return taken, nil
}

// idle measures how much the program grows with pages that follow a quiet order, compared with a net/http handler that only holds its
// connections, shared pages in each. env are settings of both.
func (b *bench) idle(ctx context.Context, p *process, version string, shared int, env ...string) (each, least float64, err error) {
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return 0, 0, err
	}
	defer c.client.CloseIdleConnections()
	orders, err := c.buy(ctx, 1)
	if err != nil {
		return 0, 0, err
	}
	each, err = growth(ctx, p, orders[0], shared)
	if err != nil {
		return 0, 0, err
	}
	bare, err := b.bare(ctx, map[string]answer{pagePath("bare"): {Hold: true}}, env...)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	least, err = growth(ctx, bare, "bare", shared)
	if err == nil {
		b.known("memory of a page that a plain handler holds open, "+version, least, kilobytes)
	}
	return each, least, err
}

// encrypted measures open pages over HTTP/2, shared of them in a connection. With one page per connection, most of a page's memory is what net/http and
// crypto/tls keep for the connection.
func (b *bench) encrypted(ctx context.Context, shared int) (each, least float64, err error) {
	tls, err := makeCertificate(b.folder)
	if err != nil {
		return 0, 0, err
	}
	p, err := b.serve(ctx, "fanout", append(tls, unlimited)...)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	return b.idle(ctx, p, fmt.Sprintf("HTTP/2, %d in a connection", shared), shared, tls...)
}

// growth returns the memory that a process takes for each open page, in kB, once they have been quiet for a while.
func growth(ctx context.Context, p *process, order string, shared int) (float64, error) {
	before, err := p.memoryShare()
	if err != nil {
		return 0, err
	}
	pages, err := open(ctx, p.url, func(int) string { return order }, idleStreams, shared)
	defer leave(pages)
	if err != nil {
		return 0, err
	}
	if err := wait(ctx, 10*time.Second); err != nil {
		return 0, err
	}
	after, err := p.memoryShare()
	return (after - before) * 1000 / idleStreams, err
}

// buy orders and pays, and waits until the pages show what the kitchen makes.
func (c *customer) buy(ctx context.Context, count int) ([]string, error) {
	orders := make([]string, count)
	group, buying := errgroup.WithContext(ctx)
	group.SetLimit(connections)
	for i := range orders {
		group.Go(func() error {
			id, err := c.order(buying)
			if err != nil {
				return err
			}
			orders[i] = id
			return c.pay(buying, id)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return orders, wait(ctx, 4*time.Second)
}

// kitchen is a kitchen screen of the demo's admin.
type kitchen struct {
	client http.Client
	url    string
	loc    string // the station where everything is made
}

func newKitchen(ctx context.Context, c *customer, order string) (*kitchen, error) {
	var trx struct {
		Order []struct {
			Info struct {
				Loc string `json:"loc"`
			} `json:"info"`
		} `json:"order"`
	}
	if err := c.call(ctx, http.MethodGet, "/api"+pagePath(order), nil, &trx); err != nil {
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	k := &kitchen{url: c.url, loc: trx.Order[0].Info.Loc, client: http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return k, k.post(ctx, "/signin", url.Values{"email": {demo.Email}, "password": {demo.Password}}, http.StatusSeeOther)
}

func (k *kitchen) done(ctx context.Context, order string) error {
	return k.post(ctx, "/pos/panezski/kitchen", url.Values{"done": {order + " " + k.loc}}, http.StatusNoContent)
}

func (k *kitchen) post(ctx context.Context, path string, form url.Values, want int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	req.Header.Set("Prefer", "return=minimal")
	res, err := k.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != want {
		return fmt.Errorf("POST %s answers %s", path, res.Status)
	}
	return nil
}
