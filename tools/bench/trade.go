package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/internal/upkeep/demo"
	"forecourt/ops/embedded"
	"forecourt/tools/drive"
)

const (
	tradeRate  = time.Minute / 1000 // between two orders
	tradePart  = 10 * time.Minute   // the figures are printed and judged after each
	mostVisits = 600                // at once; if the machine is too slow for the rate, further guests wait outside

	mostWait   = 100 // ms that the slowest of a hundred pages of a kind may take in a part
	mostMemory = 100 // MB that the program takes in a part; the median, since a password that is hashed takes more for a moment
	mostDead   = 20  // % of the rows of a table that may be dead
	manyRows   = 5000
)

// trade runs a busy street of businesses: 1,000 orders a minute, placed and paid as browsers do, some declined at first, each followed
// on its page until the kitchen is done, and a few refunded. It returns an error if anything failed, pages were slow, memory or dead
// rows piled up, the program logged an error, or its books differ from the gateway's ledger.
func (b *bench) trade(ctx context.Context, length time.Duration) (err error) {
	// The sandbox runs in its own process: it maps into memory its ledger, which grows with each payment and is not part of the program.
	gateway, err := drive.Start(ctx, b.log("gateway"), drive.Environment(b.data("gateway")), program, "sandbox", "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gateway.Stop()) }()
	settings := []string{"GATEWAY_URL=" + gateway.URL, "GATEWAY_KEY=sandbox"}
	p, err := b.serve(ctx, "trade", settings...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop(), clean(b.log("trade"))) }()
	command := func(ctx context.Context, args ...string) error {
		said, err := drive.Run(ctx, drive.Environment(b.data("trade"), settings...), program, args...)
		if err != nil {
			err = fmt.Errorf("%s: %w: %s", args[0], err, said)
		}
		return err
	}
	s, err := b.newStreet(ctx, p.URL, func(ctx context.Context, trx string) error { return command(ctx, "refund", trx) })
	if err != nil {
		return err
	}
	part := min(tradePart, length/3)
	fmt.Fprintf(b.out, "\nTrade for %s: an order each %s; figures of each %s\n", length, tradeRate, part)
	working, leave := context.WithCancel(ctx)
	defer leave()
	var staff, guests errgroup.Group
	s.work(working, &staff)
	s.repeat(working, &staff, 2*time.Second, func() error { return s.weigh(p) })
	arriving, shut := context.WithTimeout(working, length)
	defer shut()
	staff.Go(func() error { s.arrive(arriving, working, &guests); return nil })
	for at := part; at <= length && working.Err() == nil; at += part {
		drive.Pause(working, part)
		b.section(fmt.Sprintf("After %s", at))
		s.judge()
		s.note(working, b.deadRows(ctx))
	}
	<-arriving.Done() // those inside carry on
	_ = guests.Wait() // the report has what went wrong
	leave()
	_ = staff.Wait()
	// It fails if the books differ from the gateway's ledger.
	return errors.Join(command(ctx, "reconcile"), b.failures())
}

// arrive lets guests in, one after another, until arriving ends.
func (s *street) arrive(arriving, working context.Context, guests *errgroup.Group) {
	guests.SetLimit(mostVisits)
	tick := time.NewTicker(tradeRate)
	defer tick.Stop()
	for n := 0; arriving.Err() == nil; n++ {
		<-tick.C
		guests.Go(func() error { s.note(working, s.visit(working, n)); return nil })
	}
}

// weigh remembers how much memory the program takes now.
func (s *street) weigh(p *drive.Process) error {
	now, err := p.Memory()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = append(s.memory, now/1000)
	return err
}

// judge prints what happened since the last call.
func (s *street) judge() {
	s.mu.Lock()
	taken, memory := s.taken, s.memory
	s.taken, s.memory = map[string][]time.Duration{}, nil
	s.mu.Unlock()
	s.known("pages that are open", float64(s.following.Load()), plain)
	s.atMost("memory of the program (PSS), median", median(memory), mostMemory, megabytes)
	for _, kind := range slices.Sorted(maps.Keys(taken)) {
		name, p99 := fmt.Sprintf("p99 of %d × %s", len(taken[kind]), kind), percentile99(taken[kind])
		if strings.HasSuffix(kind, " page") {
			s.atMost(name, p99, mostWait, milliseconds)
		} else {
			s.known(name, p99, milliseconds)
		}
	}
}

// deadRows prints the largest share of dead rows of a large table.
func (b *bench) deadRows(ctx context.Context) error {
	dsn, err := embedded.Attach(b.data("trade"), embedded.Database)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var dead float64
	err = conn.QueryRow(ctx, `SELECT coalesce(max(100.0 * n_dead_tup / (n_live_tup + n_dead_tup)), 0)::float8
		FROM pg_stat_user_tables WHERE n_live_tup >= $1`, manyRows).Scan(&dead)
	b.atMost("dead rows of the large table with most", dead, mostDead, percent)
	return err
}

// clean returns an error that quotes the first error in a log, if there is one.
func clean(path string) error {
	text, err := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"level":"ERROR"`) {
			return errors.New("the program logged " + line)
		}
	}
	return err
}

const (
	declinedEach = 20               // one in so many guests first uses a card that is declined
	refundedEach = 50               // one in so many guests gets the money back
	cooking      = 15 * time.Second // from the payment until the kitchen marks an order done
)

// street is the demo's businesses with their guests, kitchens and desks. It remembers what was measured.
type street struct {
	*drive.Browser
	*report
	shops     []business
	refund    func(ctx context.Context, trx string) error
	following atomic.Int64 // pages that are open

	mu     sync.Mutex
	taken  map[string][]time.Duration
	memory []float64 // of the program, in MB
}

// business is one of them with its team, who are signed in.
type business struct {
	code string
	menu *atomic.Pointer[[]drive.Item]
	team *drive.Browser
}

func (b *bench) newStreet(ctx context.Context, site string, refund func(context.Context, string) error) (*street, error) {
	s := &street{Browser: drive.NewBrowser(site), report: b.report, refund: refund, taken: map[string][]time.Duration{}}
	for _, code := range []string{shop, "moollar", "sabona", "tahbella"} {
		at := business{code, &atomic.Pointer[[]drive.Item]{}, s.WithCookies()}
		form := url.Values{"email": {demo.Email}, "password": {demo.Password}}
		if err := errors.Join(s.post(ctx, "sign-in", at.team, "/signin", form), s.readMenu(ctx, at)); err != nil {
			return nil, err
		}
		s.shops = append(s.shops, at)
	}
	return s, nil
}

// readMenu reads what can be ordered now. It changes while the street trades: some items are only sold at some hours.
func (s *street) readMenu(ctx context.Context, at business) error {
	items, err := s.Menu(ctx, at.code)
	if err == nil {
		at.menu.Store(&items)
	}
	return err
}

// timed returns a function that takes an answer, remembers how long it took from now on, and returns an error if its status is none of
// want.
func (s *street) timed(kind string) func(a drive.Answer, err error, want ...int) error {
	start := time.Now()
	return func(a drive.Answer, err error, want ...int) error {
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		s.mu.Lock()
		s.taken[kind] = append(s.taken[kind], time.Since(start))
		s.mu.Unlock()
		if !slices.Contains(want, a.Status) {
			return fmt.Errorf("%s: HTTP %d: %.200s", kind, a.Status, a.Body)
		}
		return nil
	}
}

// get reads a page.
func (s *street) get(ctx context.Context, kind string, g *drive.Browser, path string) error {
	answered := s.timed(kind)
	a, err := g.Get(ctx, path)
	return answered(a, err, http.StatusOK)
}

// post sends a form.
func (s *street) post(ctx context.Context, kind string, g *drive.Browser, path string, form url.Values) error {
	answered := s.timed(kind)
	a, err := g.Post(ctx, path, form)
	return answered(a, err, http.StatusSeeOther)
}

// visit plays a guest: menu, order, payment, and the order's page until the kitchen is done.
func (s *street) visit(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	at, g := s.shops[n%len(s.shops)], s.Behind(n)
	if err := s.get(ctx, "menu page", g, fmt.Sprintf("/pos/%s?t=%d", at.code, n%40+1)); err != nil {
		return err
	}
	id, made, err := s.order(ctx, g, at, n)
	if err != nil {
		return err
	}
	page := "/pos/" + at.code + "/" + id
	if err := s.get(ctx, "payment page", g, page); err != nil {
		return err
	}
	if n%declinedEach == 0 {
		if known, err := s.pay(ctx, g, at.code, id, declinedCard); err != nil || !known {
			return err // nobody pays again while a payment is under way
		}
	}
	if _, err := s.pay(ctx, g, at.code, id, approvedCard); err != nil {
		return err
	}
	var open errgroup.Group
	open.Go(func() error { return s.follow(ctx, g, page) })
	drive.Pause(ctx, cooking)
	if err := errors.Join(s.cook(ctx, at, id, made), open.Wait()); err != nil {
		return err
	}
	if n%refundedEach == 0 {
		if err := s.refund(ctx, id); err != nil {
			return err
		}
	}
	return s.get(ctx, "order page", g, page)
}

// order orders two items and returns the order's id, and where its items are made.
func (s *street) order(ctx context.Context, g *drive.Browser, at business, n int) (id string, made []string, err error) {
	for tries := 0; ; tries++ {
		items, answered := *at.menu.Load(), s.timed("order")
		first, second := items[n/4%len(items)], items[(n/4+1)%len(items)]
		a, id, err := g.Order(ctx, rand.Text(), at.code, fmt.Sprint(n%40+1), 1+n%2, first, second)
		if tries == 0 && a.Status == http.StatusConflict { // the menu has changed since the guest opened it
			if err := s.readMenu(ctx, at); err != nil {
				return "", nil, err
			}
			continue
		}
		return id, slices.Compact([]string{first.Loc, second.Loc}), answered(a, err, http.StatusOK, http.StatusCreated)
	}
}

// pay pays by card and checks the outcome. On a slow machine the outcome may not be known yet; then the order's page shows it later.
func (s *street) pay(ctx context.Context, g *drive.Browser, code, id, card string) (known bool, err error) {
	answered := s.timed("payment")
	a, approved, err := g.Pay(ctx, rand.Text(), code, id, card, "", true)
	err = answered(a, err, http.StatusOK, http.StatusAccepted)
	if err == nil && a.Status == http.StatusOK && approved != (card == approvedCard) {
		err = fmt.Errorf("a payment with the card %s is answered with %.200s", card, a.Body)
	}
	return a.Status == http.StatusOK, err
}

// follow follows a page until its stream of events ends.
func (s *street) follow(ctx context.Context, who *drive.Browser, page string) error {
	s.following.Add(1)
	defer s.following.Add(-1)
	a, err := who.Follow(ctx, page+"/events")
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("a page that is followed: HTTP %d", a.Status)
	}
	return err
}

// cook marks an order done wherever its items are made.
func (s *street) cook(ctx context.Context, at business, id string, made []string) error {
	for _, loc := range made {
		tap := url.Values{"done": {id + " " + loc}}
		if err := s.post(ctx, "tap in the kitchen", at.team, "/pos/"+at.code+"/kitchen", tap); err != nil {
			return err
		}
	}
	return nil
}

// work opens each kitchen's screen, which it follows, and the pages of each desk, until ctx ends.
func (s *street) work(ctx context.Context, group *errgroup.Group) {
	for _, at := range s.shops {
		kitchen, desk, turn := "/pos/"+at.code+"/kitchen", "/desk/"+at.code, 0
		s.repeat(ctx, group, 2*time.Second, func() error { return s.get(ctx, "kitchen page", at.team, kitchen) })
		s.repeat(ctx, group, time.Second, func() error { return s.follow(ctx, at.team, kitchen) })
		s.repeat(ctx, group, 3*time.Second, func() error {
			turn++
			return s.get(ctx, "desk page", at.team, desk+[]string{"", "/payments", "/payouts"}[turn%3])
		})
	}
}

// repeat does the same at an interval until ctx ends, and notes what goes wrong.
func (s *street) repeat(ctx context.Context, group *errgroup.Group, every time.Duration, do func() error) {
	group.Go(func() error {
		for ; ctx.Err() == nil; drive.Pause(ctx, every) {
			s.note(ctx, do())
		}
		return nil
	})
}
