package main

import (
	"context"
	"crypto/rand"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"forecourt/tools/drive"
)

const (
	reload   = 500 * time.Millisecond
	maxTries = 3
)

// What the payer was told at the end.
const (
	toldPaid    = "paid"
	toldFailed  = "not paid, no money was taken"
	toldNothing = "nothing"
)

// shop is a business of the demo data, and what can be ordered there.
type shop struct {
	code  string
	items []drive.Item
}

// live is the business in live mode, and foreign is one in test mode that takes another currency.
const live, foreign = "tahbella", "moollar"

// customer orders once and pays as people do: pressing twice, in two tabs, again after a decline.
type customer struct {
	*drive.Browser
	at       shop
	trx      string
	patience time.Duration
	rand     *mathrand.Rand
	lateAt   *atomic.Int64 // is told when a card that takes long is used; nil if such cards are not drawn
	limited  atomic.Bool   // was told to wait longer than anybody would
}

func newCustomer(b *drive.Browser, at shop, patience time.Duration, seed, n uint64) *customer {
	return &customer{Browser: b, at: at, patience: patience, rand: mathrand.New(mathrand.NewPCG(seed, n))} //nolint:gosec // no secret
}

// settle pays the order, at first with card, until the page tells an outcome that the payer accepts.
func (c *customer) settle(ctx context.Context, card string) string {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	for tries := 1; ctx.Err() == nil; {
		switch p := c.look(ctx); p.state {
		case "form":
			if c.limited.Load() {
				return toldFailed
			}
			c.press(ctx, p.key, card)
		case "waiting":
			c.wait(ctx, p)
		case "failure":
			if tries == maxTries || c.limited.Load() || c.rand.IntN(10) < 3 {
				return toldFailed
			}
			tries, card = tries+1, c.draw()
			c.tryAgain(ctx)
		case "success", "status", "completed", "refunded":
			if c.rand.IntN(10) == 0 { // an old form in another window
				c.submit(ctx, rand.Text(), approves, c.way())
			}
			return toldPaid
		default: // no page came, or one without an outcome
			drive.Pause(ctx, reload)
		}
	}
	return toldNothing
}

// makeOrder repeats the order with its key until it is made. An item may be outside its hours meanwhile; then the customer takes
// another one.
func (c *customer) makeOrder(ctx context.Context) {
	for c.trx == "" && ctx.Err() == nil {
		key, item, qty := rand.Text(), c.at.items[c.rand.IntN(len(c.at.items))], 1+c.rand.IntN(3)
		for refused := false; c.trx == "" && !refused && ctx.Err() == nil; {
			var a drive.Answer
			if a, c.trx, _ = c.Order(ctx, key, c.at.code, "4", qty, item); c.trx == "" {
				drive.Pause(ctx, reload)
			}
			refused = a.Status == http.StatusConflict
		}
	}
}

// press clicks Pay twice while a second tab pays with its own form and its own card or wallet.
func (c *customer) press(ctx context.Context, key, card string) {
	other := c.look(ctx)
	otherCard, by, otherBy := c.draw(), c.way(), c.way()
	var presses sync.WaitGroup
	click := func(key, card string, by way) {
		if card == chargedLate {
			c.lateAt.Store(time.Now().Unix())
		}
		delay := time.Duration(c.rand.IntN(5)) * time.Millisecond
		presses.Go(func() {
			drive.Pause(ctx, delay)
			if c.submit(ctx, key, card, by) == http.StatusTooManyRequests {
				c.limited.Store(true)
			}
		})
	}
	click(key, card, by)
	click(key, card, by)
	if other.key != "" {
		click(other.key, otherCard, otherBy)
	}
	presses.Wait()
}

// wait follows the waiting page. It reloads the page, and answers a challenge or gives it up.
func (c *customer) wait(ctx context.Context, p page) {
	decision := "approve"
	switch c.rand.IntN(4) {
	case 0:
		if p.bank != "" {
			c.tryAgain(ctx)
			return
		}
	case 1:
		decision = "refuse"
	}
	if p.bank != "" {
		_, _ = c.Post(ctx, p.bank, url.Values{"decision": {decision}})
	}
	drive.Pause(ctx, reload)
}

func (c *customer) path() string { return "/pos/" + c.at.code + "/" + c.trx }

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

func first(find *regexp.Regexp, text string) string {
	if found := find.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func (c *customer) look(ctx context.Context) page {
	a, err := c.Get(ctx, c.path())
	if err != nil || a.Status != http.StatusOK {
		return page{}
	}
	return page{first(stateOf, a.Body), first(keyOf, a.Body), first(bankOf, a.Body)}
}

// way is how a payer pays.
type way int

const (
	byForm   way = iota
	byScript     // like the page's own script
	byWallet
	ways // the number of ways
)

func (c *customer) way() way { return way(c.rand.IntN(int(ways))) }

// submit presses Pay; the page shows the outcome. A wallet's token has the same outcome as the card. submit returns the answer's
// status, or 0 without an answer.
func (c *customer) submit(ctx context.Context, key, card string, by way) int {
	var a drive.Answer
	switch by {
	case byScript:
		a, _, _ = c.Pay(ctx, key, c.at.code, c.trx, card, mailboxOf(c.trx), false)
	case byWallet:
		a, _ = c.PostJSON(ctx, "/api/wallet", key, map[string]string{
			"wallet": "gpay", "merchantId": c.at.code, "transid": c.trx, "token": token(card), "source": "PayLink",
			"email": mailboxOf(c.trx),
		})
	default:
		a, _ = c.Post(ctx, c.path(), url.Values{
			"key": {key}, "name": {"Pat Payer"}, "card": {card}, "exp": {"12/34"}, "cvc": {"123"}, "email": {mailboxOf(c.trx)},
		})
	}
	return a.Status
}

// tryAgain presses Try Again or, during a challenge, Cancel.
func (c *customer) tryAgain(ctx context.Context) { _, _ = c.Post(ctx, c.path()+"/retry", nil) }

// mailboxOf returns the address that a payer leaves for a transaction, or "". Half of the payers leave one.
func mailboxOf(trx string) string {
	if trx == "" || trx[len(trx)-1]%2 == 0 {
		return ""
	}
	return "payer-" + strings.ToLower(trx) + "@chaos.test"
}

// Card numbers that have a fixed outcome at the sandbox.
const (
	approves     = "4111111111111111"
	declines     = "4000000000000002"
	noFunds      = "4000000000009995"
	challenges   = "4000000000003220" // 3-D Secure
	breaks       = "4000000000000119" // HTTP 500, not charged
	chargedBreak = "4000000000000127" // HTTP 500, charged
	chargedHangs = "4000000000000259" // charged, never answers
	chargedLate  = "4000000000000358" // charged 12 s later; until then the gateway does not know the outcome
	// These approve. Their refunds are, in turn, declined, pending for 3 s, and made but answered with HTTP 500.
	backDeclines = "4000000000005126"
	backPends    = "4000000000007726"
	backBreaks   = "4000000000000507"
	disputed     = "4000000000002685" // approves and is disputed at once; its refunds are declined

	lied = "5555555555554444" // approves, and the gateway of the crash matrix reports a wrong amount for it
)

// mix says how many of a thousand cards have each outcome. The others approve, and so do their refunds. 5 % time out or break, half of
// them charged.
var mix = []struct {
	card  string
	share int
}{
	{declines, 40}, {noFunds, 20}, {chargedHangs, 25}, {breaks, 25}, {chargedBreak, 20}, {challenges, 20}, {chargedLate, 15},
	{backDeclines, 60}, {backPends, 80}, {backBreaks, 150}, {disputed, 40},
}

// draw picks a card.
func (c *customer) draw() string {
	n := c.rand.IntN(1000)
	for _, m := range mix {
		if n < m.share && (c.lateAt != nil || m.card != chargedLate) {
			return m.card
		}
		n -= m.share
	}
	return approves
}

// token returns a wallet's token that has the same outcome at the sandbox as the card, if there is such a token.
func token(card string) string {
	switch card {
	case declines, noFunds:
		return "decline"
	case chargedHangs:
		return "timeout"
	case breaks:
		return "uncharged"
	case challenges:
		return "redirect"
	default:
		return "approve"
	}
}
