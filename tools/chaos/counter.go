package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// The owner of all of the demo's businesses.
const (
	owner         = "demo@forecourt.test"
	ownerPassword = "Demo-pass-1"
)

// counter refunds payments on a business's desk with the form of the refund page.
type counter struct {
	*browser
}

// newCounter returns a browser in which nobody is signed in yet.
func newCounter(b *browser) (*counter, error) {
	own, err := b.guest()
	if err != nil {
		return nil, err
	}
	return &counter{own}, nil
}

// step gives an amount back; "" means everything that is left. It sends the form twice at the same time, and repeats it until it learns the outcome.
func (c *counter) step(ctx context.Context, shop, trx, amount string) outcome {
	for ctx.Err() == nil {
		form, told := c.preview(ctx, shop, trx, amount)
		if form == nil {
			if told != backUnknown {
				return told
			}
			pause(ctx, reload)
			continue
		}
		told, again := c.insist(ctx, shop, trx, form)
		if !again {
			return told
		}
	}
	return backUnknown
}

// preview asks for the preview of a refund and returns the form that makes it. Without a form it returns the outcome, if that is known.
func (c *counter) preview(ctx context.Context, shop, trx, amount string) (url.Values, outcome) {
	typed := url.Values{"do": {"preview"}, "how": {"whole"}, "reason": {"chaos"}}
	if amount != "" {
		typed.Set("how", "amount")
		typed.Set("amount", amount)
	}
	a, err := c.postForm(ctx, refundPage(shop, trx), typed)
	switch {
	case err != nil:
	case strings.Contains(a.body, `action="/signin"`):
		_, _ = c.postForm(ctx, "/signin", url.Values{"email": {owner}, "password": {ownerPassword}})
	case a.status == http.StatusOK:
		typed.Set("do", "refund")
		for _, name := range []string{"key", "seen", "minor"} {
			typed.Set(name, first(regexp.MustCompile(`name="`+name+`" value="([^"]+)"`), a.body))
		}
		return typed, backUnknown
	case strings.Contains(a.body, "holds this money or has taken it"):
		return nil, backDeclined
	case amount == "" && strings.Contains(a.body, "Everything was refunded"):
		return nil, backDone
	}
	return nil, backUnknown
}

// insist sends a form twice at the same time, then again until it learns the outcome. again reports that the form is out of date and so
// gave nothing back.
func (c *counter) insist(ctx context.Context, shop, trx string, form url.Values) (told outcome, again bool) {
	var other outcome
	var beside sync.WaitGroup
	beside.Go(func() { other, _ = c.confirm(ctx, shop, trx, form) })
	told, again = c.confirm(ctx, shop, trx, form)
	beside.Wait()
	for told = max(told, other); told == backUnknown && !again && ctx.Err() == nil; told, again = c.confirm(ctx, shop, trx, form) {
		pause(ctx, reload)
	}
	return told, again && told == backUnknown
}

// confirm sends a form once.
func (c *counter) confirm(ctx context.Context, shop, trx string, form url.Values) (told outcome, again bool) {
	a, err := c.postForm(ctx, refundPage(shop, trx), form)
	switch {
	case err != nil:
	case strings.HasSuffix(a.location, "?refund=done"):
		return backDone, false
	case strings.HasSuffix(a.location, "?refund=declined"), strings.Contains(a.body, "holds this money or has taken it"):
		return backDeclined, false
	case strings.HasSuffix(a.location, "?refund=manual"):
		return backManual, false
	case a.status == http.StatusConflict:
		return backUnknown, true
	}
	return backUnknown, false
}

func refundPage(shop, trx string) string { return "/desk/" + shop + "/payments/" + trx + "/refund" }

// deskDeath makes the program die at a point of a refund that was confirmed on the desk, starts it again and sends the form again. The
// payer has to get the money once.
func (w *world) deskDeath(ctx context.Context, point, card string, n int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	paid, err := w.paid(ctx, card, n)
	if err != nil {
		return "", err
	}
	dying, err := w.serve(ctx, "FORECOURT_CRASH="+point)
	if err != nil {
		return "", err
	}
	defer dying.kill()
	c, err := newCounter(newBrowser(w.listen, 1).behind(n))
	if err != nil {
		return "", err
	}
	var form url.Values
	for form == nil && ctx.Err() == nil { // the first preview asks to sign in
		form, _ = c.preview(ctx, live, paid.trx, "")
	}
	_, _ = c.confirm(ctx, live, paid.trx, form)
	select {
	case <-dying.done:
	case <-ctx.Done():
		return "", errors.New("the program did not die there")
	}
	died := time.Now()
	again, err := w.serve(ctx)
	if err != nil {
		return "", err
	}
	defer again.kill()
	told, outdated := c.insist(ctx, live, paid.trx, form)
	if told == backUnknown {
		return "", fmt.Errorf("the form is told nothing; it is out of date: %t", outdated)
	}
	took := time.Since(died)
	if err := w.agree(ctx); err != nil {
		return "", err
	}
	refunds, err := w.query(ctx, "SELECT count(*) FROM refund WHERE transaction_id = $1", paid.trx)
	if err != nil || refunds != 1 {
		return "", fmt.Errorf("%d refunds are stored, %w", refunds, err)
	}
	return fmt.Sprintf("the form is told after %.1f s, both books and the payouts agree", took.Seconds()), w.awaitLetters(ctx, patience)
}

// deskDeaths lists the points of a refund at which the program dies.
func deskDeaths() []death {
	var all []death
	for _, d := range []struct{ point, card string }{
		{"refund, inside the claim", approves}, {"refund, claimed", approves}, {"refund, answer read", approves}, {"refund, inside", approves},
		{"refund, settled", approves}, {"refund, inside", backDeclines}, {"refund, answer read", backBreaks},
	} {
		name := fmt.Sprintf("desk's refund died at %q with the card ending %s", d.point, d.card[12:])
		all = append(all, death{d.point, name, func(ctx context.Context, w *world, n int) (string, error) {
			return w.deskDeath(ctx, d.point, d.card, n)
		}})
	}
	return all
}

// byDesk decides at random whether a step of a refund is made on the desk.
func (o *backOffice) byDesk(r *mathrand.Rand) bool {
	if o.desk == nil || r.IntN(2) > 0 {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.forms++
	return true
}
