package main

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// guests has people pass on the address of a basket. It must not lead those who open it after the payment to the payment.
func (r *trial) guests(ctx context.Context, b *browser, at shop) (promise, error) {
	const guests = 5
	led := 0
	var err error
	if at.items, err = b.menu(ctx, at.code); err != nil { // an item of before may be outside its hours
		return promise{}, err
	}
	for range guests {
		first, err := b.guest()
		if err != nil {
			return promise{}, err
		}
		next, err := b.guest()
		if err != nil {
			return promise{}, err
		}
		address := "/pos/" + at.code + "/order?" + url.Values{"b": {fmt.Sprintf("%dx1", at.items[0])}, "t": {"4"}, "k": {rand.Text()}}.Encode()
		basket := url.Values{fmt.Sprintf("qty.%d", at.items[0]): {"1"}}
		made, err := insist(ctx, func(ctx context.Context) (answer, error) { return first.postForm(ctx, address, basket) })
		trx := strings.TrimPrefix(made.location, "/pos/"+at.code+"/")
		if err != nil || made.status != http.StatusSeeOther || strings.Contains(trx, "/") || strings.Contains(trx, "?") {
			return promise{}, fmt.Errorf("an order by form: HTTP %d, %s, %w", made.status, made.location, err)
		}
		c := newCustomer(first, at, mathrand.New(mathrand.NewPCG(1, 1))) //nolint:gosec // no secret
		c.trx, c.patience = trx, r.patience
		r.keepShown(trx, c.settle(ctx, approves))
		told, err := insist(ctx, func(ctx context.Context) (answer, error) { return next.postForm(ctx, address, basket) })
		if err != nil {
			return promise{}, err
		}
		led += count(strings.Contains(told.location, trx) || strings.Contains(told.body, trx))
	}
	return promise{"baskets", led, fmt.Sprintf("guests (%d) led to the payment of somebody else's basket", guests)}, nil
}

// guest returns a browser with its own cookies.
func (b *browser) guest() (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	other, client := *b, *b.http
	client.Jar = jar
	other.http = &client
	return &other, nil
}
