package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/mail"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/internal/kit/fake"
	"forecourt/tools/drive"
)

// crashWorlds is the number of worlds in which the program dies at the same time. There are several because a death mostly waits for
// the sweep.
const crashWorlds = 4

// death is one death of the program, or of one of its commands, at a point: crash.patch makes the program die where FORECOURT_CRASH says.
type death struct {
	point, card string
	happen      func(*crashWorld, context.Context, *customer, death) error // nil for those of an import
	do          string                                                     // what a command does, or how staff decide
}

func (d death) String() string {
	return fmt.Sprintf("died at %q with the card ending %s", d.point, d.card[12:])
}

func deaths() (all []death) {
	add := func(happen func(*crashWorld, context.Context, *customer, death) error, do, card string, points ...string) {
		for _, point := range points {
			all = append(all, death{point, card, happen, do})
		}
	}
	paying, mailing, running, deciding := (*crashWorld).paying, (*crashWorld).mailing, (*crashWorld).running, (*crashWorld).deciding
	add(paying, "", approves, "before the claim", "inside the claim", "after the claim", "answer read", "inside settling", "after settling")
	add(paying, "", declines, "answer read", "inside settling", "after settling")
	add(paying, "", chargedHangs, "in flight", "sweep, settled")
	add(paying, "", chargedBreak, "answer read", "sweep, leased", "sweep, answer read")
	add(paying, "", breaks, "sweep, answer read")
	add(mailing, "", approves, "mailer, nothing told", "mailer, letter taken")
	refunding := []string{"refund, inside the claim", "refund, claimed", "refund, answer read", "refund, inside", "refund, settled"}
	add(running, "refund", approves, refunding...)
	add(running, "refund", backDeclines, "refund, inside")
	add(running, "refund", backBreaks, "refund, answer read")
	add(deciding, "approved", lied, "decide, asked", "decide, inside", "decide, committed")
	add(deciding, "given_back", lied, "decide, asked", "decide, inside", "decide, committed",
		"refund, claimed", "refund, answer read", "refund, inside")
	add(running, "reconcile", disputed, "dispute, inside", "dispute, recorded", "ledger, read")
	add(running, "reconcile", approves, "payout, inside", "payout, added")
	return append(all, death{point: strings.Join(importDeaths, "; "), card: approves})
}

// importDeaths lists the points at which an import after a restore dies, one run after another.
var importDeaths = []string{"import, closed", "import, brought"}

// crashWorld is a world with a mail server, whose program dies again and again.
type crashWorld struct {
	*world
	mail   *fake.MailServer
	office *office
}

func newCrashWorld(ctx context.Context, dir, binary string) (*crashWorld, error) {
	f := newFront(0, 1)
	f.lies = lied[12:]
	w, err := newWorld(ctx, dir, binary, f)
	if err != nil {
		return nil, err
	}
	letters := &fake.MailServer{}
	if err := letters.Start(ctx); err != nil {
		w.close()
		return nil, err
	}
	w.settings = append(w.settings, "SMTP_URL="+letters.URL, "MAIL_FROM=Forecourt <no-reply@chaos.test>")
	return &crashWorld{w, letters, newOffice(w.site, w.connect)}, nil
}

// crashes runs the crash matrix.
func crashes(ctx context.Context, o options, dir string) error {
	flags, err := overlay(ctx, o.root, filepath.Join(dir, "source"), filepath.Join(o.root, "tools/chaos/crash.patch"))
	if err != nil {
		return err
	}
	if o.program, err = filepath.Abs(filepath.Join(dir, "forecourt")); err != nil {
		return err
	}
	if err := build(ctx, o.root, o.program, flags...); err != nil {
		return err
	}
	wanted := slices.DeleteFunc(deaths(), func(d death) bool { return !strings.Contains(d.point, o.only) })
	results, next := make([]error, len(wanted)), make(chan int, len(wanted))
	for i := range wanted {
		next <- i
	}
	close(next)
	group, ctx := errgroup.WithContext(ctx)
	for n := range min(crashWorlds, len(wanted)) {
		group.Go(func() error {
			w, err := newCrashWorld(ctx, filepath.Join(dir, strconv.Itoa(n)), o.program)
			if err != nil {
				return err
			}
			defer w.close()
			defer w.mail.Close()
			for i := range next {
				if wanted[i].happen == nil {
					results[i] = drillDying(ctx, o, filepath.Join(dir, "import"), importDeaths...)
				} else {
					results[i] = w.happen(ctx, wanted[i], i)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return reportDeaths(o, wanted, results)
}

func reportDeaths(o options, wanted []death, results []error) error {
	for i, err := range results {
		if err != nil {
			fmt.Fprintf(o.out, "BROKEN %s: %v\n", wanted[i], err)
			continue
		}
		fmt.Fprintf(o.out, "kept   %s: all books agree\n", wanted[i])
	}
	if errors.Join(results...) != nil {
		return errBroken
	}
	return nil
}

// happen lets a customer order, the program die and start again, and compares all books once what was begun is over.
func (w *crashWorld) happen(ctx context.Context, d death, n int) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := w.serve(ctx, d.crashing(d.do == "")...); err != nil {
		return err
	}
	defer func() { w.process.Kill() }()
	b := w.browser().Behind(n)
	items, err := b.Menu(ctx, live)
	if err != nil {
		return err
	}
	c := newCustomer(b, shop{live, items}, time.Minute, 1, 1)
	c.makeOrder(ctx)
	c.submit(ctx, rand.Text(), d.card, byForm)
	if err := d.happen(w, ctx, c, d); err != nil {
		return err
	}
	for open := 1; open > 0 && ctx.Err() == nil; drive.Pause(ctx, reload) {
		if open, err = query[int](ctx, w.world, "SELECT count(*) FROM river_job WHERE kind = 'mail' AND finalized_at IS NULL"); err != nil {
			return err
		}
	}
	v, err := w.judge(ctx, nil, nil, stuckAfter)
	return errors.Join(err, v.err())
}

// crashing returns the setting that makes the program die, if it is to die.
func (d death) crashing(here bool) []string {
	if !here {
		return nil
	}
	return []string{"FORECOURT_CRASH=" + d.point}
}

// died returns when the program has died by itself.
func (w *crashWorld) died(ctx context.Context) error {
	select {
	case <-w.process.Done:
		return nil
	case <-ctx.Done():
		return errors.New("the program did not die there")
	}
}

// paying follows the payer of a payment during which the program dies, until the page shows an outcome.
func (w *crashWorld) paying(ctx context.Context, c *customer, d death) error {
	if err := w.died(ctx); err != nil {
		return err
	}
	stored, err := query[int](ctx, w.world, "SELECT count(*) FROM attempt WHERE transaction_id = $1", c.trx)
	if unclaimed := strings.HasSuffix(d.point, "e the claim"); err != nil || (stored == 0) != unclaimed {
		return fmt.Errorf("%d attempts are stored then, %w", stored, err)
	}
	if err := w.serve(ctx); err != nil {
		return err
	}
	for state := ""; state == "" || state == "waiting"; state = c.look(ctx).state {
		if ctx.Err() != nil {
			return errors.New("the page shows no outcome")
		}
		drive.Pause(ctx, reload)
	}
	return nil
}

// mailing lets the mailer die over a letter. One that the mail server has taken by then comes again under the same Message-ID.
func (w *crashWorld) mailing(ctx context.Context, c *customer, d death) error {
	before := len(w.mail.Letters())
	if err := w.died(ctx); err != nil {
		return err
	}
	taken := w.mail.Letters()[before:]
	if (len(taken) > 0) != (d.point == "mailer, letter taken") {
		return fmt.Errorf("the mail server has %d letters then", len(taken))
	}
	if err := w.paying(ctx, c, d); err != nil {
		return err
	}
	for ctx.Err() == nil {
		later := w.mail.Letters()[before+len(taken):]
		missing := slices.ContainsFunc(taken, func(one fake.Letter) bool {
			return !slices.ContainsFunc(later, func(other fake.Letter) bool { return messageID(other) == messageID(one) })
		})
		if len(later) > 0 && !missing {
			return nil
		}
		drive.Pause(ctx, reload)
	}
	return errors.New("the letter did not come again")
}

func messageID(letter fake.Letter) string {
	read, err := mail.ReadMessage(strings.NewReader(letter.Text))
	if err != nil {
		return ""
	}
	return read.Header.Get("Message-Id")
}

// running lets a command die, and runs it again beside the program until it has nothing more to do.
func (w *crashWorld) running(ctx context.Context, c *customer, d death) error {
	w.process.Kill()
	args, ends := []string{d.do}, []string{" differences\n"}
	if d.do == "refund" {
		args = append(args, c.trx)
		ends = []string{"Refunded ", "an equal refund was already made", "more than is left of the payment", "The gateway declined"}
	} else if err := w.gateway.payOut(ctx, w.payouts); err != nil {
		return err
	}
	if err := w.die(ctx, d.point, args...); err != nil {
		return err
	}
	if err := w.serve(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		said, _ := w.command(ctx, args...)
		if slices.ContainsFunc(ends, func(end string) bool { return strings.Contains(said, end) }) {
			return nil
		}
		drive.Pause(ctx, reload)
	}
	return fmt.Errorf("%s comes to no end", d.do)
}

// die runs a command that has to die at a point, as in a power cut.
func (s *site) die(ctx context.Context, point string, args ...string) error {
	said, err := drive.Run(ctx, s.env("FORECOURT_CRASH="+point), s.binary, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL && ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%s did not die at %q: %w, %s", args[0], point, err, said)
}

// deciding has staff decide about a payment that the gateway approved with another amount. The program dies meanwhile, and they decide
// again.
func (w *crashWorld) deciding(ctx context.Context, c *customer, d death) error {
	id, err := query[string](ctx, w.world, "SELECT id::text FROM attempt WHERE transaction_id = $1 AND state = 'manual'", c.trx)
	if err != nil {
		return err
	}
	w.process.Kill()
	if err := w.serve(ctx, d.crashing(true)...); err != nil {
		return err
	}
	deciding, stop := context.WithCancel(ctx)
	go func() { <-w.process.Done; stop() }()
	w.office.staffDecide(deciding, "/staff/payments/"+id, d.do)
	stop()
	if err := w.died(ctx); err != nil {
		return err
	}
	if err := w.serve(ctx); err != nil {
		return err
	}
	w.office.staffDecide(ctx, "/staff/payments/"+id, d.do)
	return ctx.Err()
}
