package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/internal/demo"
)

const (
	declinedEach = 20 // one in so many guests first uses a card that is declined
	refundedEach = 50 // one in so many guests gets the money back

	approvedCard, declinedCard = "4111111111111111", "4000000000000002"

	screenEvery = 2 * time.Second  // how often a kitchen looks at its screen
	cooking     = 15 * time.Second // how long an order is on the screen before it is done
	deskEvery   = 3 * time.Second
	proofEvery  = 8 * time.Minute // a refund needs a proof that is younger than ten minutes
)

// visit plays a guest: menu, order, payment, and the order's page until the kitchen is done.
func (s *street) visit(ctx context.Context, n int) error {
	code := slices.Sorted(maps.Keys(s.back))[n%len(s.back)]
	g := s.person(fmt.Sprintf("100.%d.%d.%d", 64+n>>16%64, n>>8%256, n%256))
	if _, err := g.get(ctx, "menu page", fmt.Sprintf("/pos/%s?t=%d", code, n%40+1)); err != nil {
		return err
	}
	id, err := g.order(ctx, code, n)
	if refused := (*errStatus)(nil); errors.As(err, &refused) && refused.status == http.StatusConflict {
		// The menu has changed since the guest opened it.
		if err := s.readMenu(ctx, code); err != nil {
			return err
		}
		id, err = g.order(ctx, code, n)
	}
	if err != nil {
		return err
	}
	page := "/pos/" + code + "/" + id
	if _, err := g.get(ctx, "payment page", page); err != nil {
		return err
	}
	if n%declinedEach == 0 {
		if known, err := g.pay(ctx, code, id, declinedCard); err != nil || !known {
			return err // nobody pays again while a payment is under way
		}
	}
	if _, err := g.pay(ctx, code, id, approvedCard); err != nil {
		return err
	}
	s.following.Add(1)
	err = g.follow(ctx, page+"/events")
	s.following.Add(-1)
	if err != nil {
		return fmt.Errorf("an order page that is followed: %w", err)
	}
	if n%refundedEach == 0 {
		s.back[code] <- id
	}
	_, err = g.get(ctx, "order page", page)
	return err
}

// order orders two items and returns the order's id.
func (p *person) order(ctx context.Context, code string, n int) (id string, err error) {
	p.mu.Lock()
	items := p.items[code]
	p.mu.Unlock()
	var made struct{ TrxID string }
	first, second := items[n/4%len(items)], items[(n/4+1)%len(items)]
	err = p.postJSON(ctx, "order", "/api/pos", map[string]any{
		"merchantId": code, "table": fmt.Sprint(n%40 + 1), "source": "diy-pos",
		"order": []any{map[string]any{"id": first, "qty": 1 + n%3}, map[string]any{"id": second, "qty": 1}},
	}, &made)
	return made.TrxID, err
}

// pay pays by card and checks the outcome. On a slow machine the outcome may not be known yet; then the order's page shows it later.
func (p *person) pay(ctx context.Context, code, id, card string) (known bool, err error) {
	var paid struct {
		State  string
		Status struct{ ResponseType string }
	}
	err = p.postJSON(ctx, "payment", "/api/pay", map[string]any{
		"merchantId": code, "trxId": id, "cardholder": "Ann Bench", "pan": card, "exp": validUntil(), "cvc": "123",
		"tryAgain": true, "cEmail": "",
	}, &paid)
	switch approved := paid.Status.ResponseType == "1"; {
	case err != nil || paid.State == "processing":
		return false, err
	case approved != (card == approvedCard):
		return false, fmt.Errorf("a payment with the card %s has the response type %q", card, paid.Status.ResponseType)
	}
	return true, nil
}

// worker is a member of the demo's team, at a kitchen's screen or at a desk.
type worker struct {
	*person
	proved time.Time
	since  map[string]time.Time   // when the screen first showed an order
	events atomic.Pointer[string] // the address of the screen's stream
	turn   int
}

func (s *street) worker() *worker {
	w := &worker{person: s.person("")}
	w.client.Jar, _ = cookiejar.New(nil) // without options it never fails
	return w
}

// work starts a kitchen, its screen and a desk for each business. They work until ctx ends.
func (s *street) work(ctx context.Context, group *errgroup.Group) {
	for code := range s.back {
		cook, cashier := s.worker(), s.worker()
		s.repeat(ctx, group, screenEvery, func() error { return cook.cook(ctx, "/pos/"+code+"/kitchen") })
		s.repeat(ctx, group, time.Second, func() error { return cook.watch(ctx) })
		s.repeat(ctx, group, deskEvery, func() error { return cashier.keepDesk(ctx, code) })
	}
}

// repeat does the same at an interval until ctx ends, and notes what goes wrong.
func (s *street) repeat(ctx context.Context, group *errgroup.Group, every time.Duration, do func() error) {
	group.Go(func() error {
		for ctx.Err() == nil {
			s.note(ctx, do())
			_ = wait(ctx, every)
		}
		return nil
	})
}

// signIn signs in unless the last sign-in is recent enough for a refund.
func (w *worker) signIn(ctx context.Context) error {
	if time.Since(w.proved) < proofEvery {
		return nil
	}
	w.door.Lock()
	defer w.door.Unlock()
	_, err := w.post(ctx, "sign-in", "/signin", url.Values{"email": {demo.Email}, "password": {demo.Password}}, http.StatusSeeOther)
	if err == nil {
		w.proved = time.Now()
	}
	return err
}

// post sends a form.
func (w *worker) post(ctx context.Context, kind, path string, form url.Values, want int) ([]byte, error) {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Prefer": {"return=minimal"}}
	return w.send(ctx, kind, http.MethodPost, path, []byte(form.Encode()), header, want)
}

var (
	doneButton   = regexp.MustCompile(`name="done" value="([^"]+)"`)
	screenEvents = regexp.MustCompile(`data-events="([^"]+)"`)
	refundField  = regexp.MustCompile(`name="(key|seen|minor)" value="([^"]*)"`)
)

// cook looks at the kitchen's screen, and marks orders done that it has shown for a while.
func (w *worker) cook(ctx context.Context, path string) error {
	if err := w.signIn(ctx); err != nil {
		return err
	}
	page, err := w.get(ctx, "kitchen page", path)
	if err != nil {
		return err
	}
	if found := screenEvents.FindSubmatch(page); found != nil {
		address := html.UnescapeString(string(found[1]))
		w.events.Store(&address)
	}
	before := w.since
	w.since = map[string]time.Time{}
	var taps errgroup.Group
	taps.SetLimit(4) // cooks
	for _, button := range doneButton.FindAllSubmatch(page, -1) {
		order := html.UnescapeString(string(button[1]))
		seen, known := before[order]
		if !known {
			seen = time.Now()
		}
		if time.Since(seen) < cooking {
			w.since[order] = seen
			continue
		}
		taps.Go(func() error {
			_, err := w.post(ctx, "tap in the kitchen", path, url.Values{"done": {order}}, http.StatusNoContent)
			return err
		})
	}
	return taps.Wait()
}

// watch follows the events of the kitchen's screen until they end.
func (w *worker) watch(ctx context.Context) error {
	address := w.events.Load()
	if address == nil {
		return nil
	}
	err := w.follow(ctx, *address)
	if refused := (*errStatus)(nil); errors.As(err, &refused) {
		return err
	}
	return nil // a stream may break off
}

// keepDesk reads a page of a desk, and gives back what guests want back.
func (w *worker) keepDesk(ctx context.Context, code string) error {
	if err := w.signIn(ctx); err != nil {
		return err
	}
	desk := "/desk/" + code
	pages := []string{"", "/payments", "/payouts"}
	w.turn++
	if _, err := w.get(ctx, "desk page", desk+pages[w.turn%len(pages)]); err != nil {
		return err
	}
	select {
	case id := <-w.back[code]:
		return w.refund(ctx, desk+"/payments/"+id+"/refund")
	default:
		return nil
	}
}

// refund gives a whole payment back in the two steps of the page: the preview, then the form that it shows.
func (w *worker) refund(ctx context.Context, path string) error {
	form := url.Values{"do": {"preview"}, "how": {"whole"}, "reason": {"cold"}}
	preview, err := w.post(ctx, "refund page", path, form, http.StatusOK)
	if err != nil {
		return err
	}
	form.Set("do", "refund")
	for _, field := range refundField.FindAllSubmatch(preview, -1) {
		form.Set(string(field[1]), string(field[2]))
	}
	if form.Get("key") == "" {
		return fmt.Errorf("%s shows no refund to make", path)
	}
	_, err = w.post(ctx, "refund", path, form, http.StatusSeeOther)
	return err
}
