package main

import (
	"context"
	"errors"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/tools/drive"
)

// delivery is how long after a request was given up a slow wire may still deliver it.
const delivery = 5 * time.Second

// office refunds payments with the program's own command, a few at a time, and decides on the pages of staff about refunds that wait
// for a person.
type office struct {
	*site
	connect func(context.Context) (*pgx.Conn, error)
	staff   *drive.Browser
	slots   chan struct{}

	mu     sync.Mutex
	killed int
	heard  map[string]refunded
}

// refunded is what whoever ran the commands was told of a payment: how many cents were given back, All when everything was.
type refunded struct {
	Cents   int64
	All     bool
	Nothing bool // no definite answer came for one of the refunds
}

func newOffice(s *site, connect func(context.Context) (*pgx.Conn, error)) *office {
	return &office{
		site: s, connect: connect, staff: s.browser().WithCookies(), slots: make(chan struct{}, 3), heard: map[string]refunded{},
	}
}

// steps lists the refunds that a payment may get, one after another. "" gives back everything that is left.
var steps = [][]string{{""}, {"1.00"}, {"1.00", "0.50"}, {"1.00", ""}}

// refund gives a payment back, partly or fully, and repeats each step until it has a definite answer.
func (o *office) refund(ctx context.Context, trx string, patience time.Duration, r *rand.Rand) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var all refunded
	for _, amount := range steps[r.IntN(len(steps))] {
		told := o.step(ctx, trx, amount, r)
		if told == backDone {
			all.Cents += cents(amount)
			all.All = all.All || amount == ""
		}
		all.Nothing = all.Nothing || told == backUnknown
		if told == backManual {
			break // decide is told later
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heard[trx] = all
}

// cents reads an amount with two decimals; "" is 0.
func cents(amount string) int64 {
	n, _ := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	return n
}

// outcome is what becomes known of a refund.
type outcome int

const (
	backUnknown  outcome = iota
	backDeclined         // by the gateway
	backManual           // waits for a person
	backDone             // now or before
)

// step runs the same command twice at the same time, sometimes killing one of them, and then again until the outcome is known.
func (o *office) step(ctx context.Context, trx, amount string, r *rand.Rand) outcome {
	limit := 20 * time.Second
	if r.IntN(4) == 0 {
		limit = time.Duration(50+r.IntN(400)) * time.Millisecond
		o.mu.Lock()
		o.killed++
		o.mu.Unlock()
	}
	var other outcome
	var beside sync.WaitGroup
	beside.Go(func() { other = o.run(ctx, trx, amount, limit) })
	told := o.run(ctx, trx, amount, 20*time.Second)
	beside.Wait()
	for told = max(told, other); told == backUnknown && ctx.Err() == nil; told = o.run(ctx, trx, amount, 20*time.Second) {
		drive.Pause(ctx, reload)
	}
	return told
}

// run runs the command once, and kills it after limit.
func (o *office) run(ctx context.Context, trx, amount string, limit time.Duration) outcome {
	o.slots <- struct{}{}
	defer func() { <-o.slots }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{"refund", trx}
	if amount != "" {
		args = append(args, "--amount", amount)
	}
	said, _ := o.command(ctx, args...) // says more than the exit code
	return readRefund(said, amount)
}

// readRefund reads the command's output. For a refund of everything, that nothing is left means that it is done.
func readRefund(said, amount string) outcome {
	switch {
	case strings.Contains(said, "Refunded "), strings.Contains(said, "an equal refund was already made"),
		amount == "" && strings.Contains(said, "more than is left of the payment"):
		return backDone
	case strings.Contains(said, "waits for a person"):
		return backManual
	case strings.Contains(said, "The gateway declined"), strings.Contains(said, "the payment is disputed"):
		return backDeclined
	default:
		return backUnknown
	}
}

// decide ends the refunds that wait for a person as people do: they look into the gateway's ledger and say what is there. A refund waits
// for them if its first answer was lost and its payment is disputed, since the program does not send it again then.
func (o *office) decide(ctx context.Context) error {
	conn, err := o.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, "SELECT id::text, transaction_id, amount_minor FROM refund WHERE state = 'manual'")
	if err != nil {
		return err
	}
	type refund struct {
		ID, Trx string
		Minor   int64
	}
	waiting, err := pgx.CollectRows(rows, pgx.RowToStructByPos[refund])
	entries, ledgerErr := o.gateway.ledger(ctx)
	if err := errors.Join(err, ledgerErr); err != nil {
		return err
	}
	for _, r := range waiting {
		end := "declined"
		if slices.ContainsFunc(entries, func(e map[string]any) bool { return e["kind"] == "refund" && e["reference"] == r.ID }) {
			end = "done"
			heard := o.heard[r.Trx]
			heard.Cents += r.Minor
			o.heard[r.Trx] = heard
		}
		o.staffDecide(ctx, "/staff/refunds/"+r.ID, end)
		// A person takes longer than the program may.
		if _, err := conn.Exec(ctx, "UPDATE refund SET settled_at = created_at WHERE id = $1 AND settled_at IS NOT NULL", r.ID); err != nil {
			return err
		}
	}
	return nil
}

// Who decides in the demo data, and who owns its businesses.
const staffEmail, ownerEmail, password = "staff@forecourt.test", "demo@forecourt.test", "Demo-pass-1"

var (
	saysOf = regexp.MustCompile(`name="says" value="([^"]*)"`)
	seenOf = regexp.MustCompile(`name="seen" value="([^"]*)"`)
	wayOf  = regexp.MustCompile(`type="radio" name="decision" value="([a-z_]+)"`) // the first one
	caseOf = regexp.MustCompile(`href="(/staff/(?:unmatched|payouts)/[^"?#]+)"`)
)

func signIn(ctx context.Context, b *drive.Browser, email string) {
	_, _ = b.Post(ctx, "/signin", url.Values{"email": {email}, "password": {password}})
	drive.Pause(ctx, reload)
}

// staffDecide posts a decision on a page of staff until it is recorded, or does not wait for one any more. Staff may overrule the
// gateway once they have seen what it says.
func (o *office) staffDecide(ctx context.Context, path, end string) {
	form := url.Values{"decision": {end}, "reason": {"as the ledger says"}, "seen": {"0"}, "says": {""}}
	for ctx.Err() == nil {
		a, err := o.staff.Post(ctx, path, form)
		says := first(saysOf, a.Body)
		switch {
		case err == nil && a.Status == http.StatusSeeOther && a.Location == path, a.Status == http.StatusConflict && says == "":
			return
		case a.Status == http.StatusConflict:
			form.Set("says", html.UnescapeString(says))
		default: // it was not reached, or wants to know who we are
			signIn(ctx, o.staff, staffEmail)
		}
	}
}
