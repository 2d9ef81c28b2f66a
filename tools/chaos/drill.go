package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"forecourt/tools/drive"
)

// drilled is a small separate site whose database is restored from a backup that knows less than the gateway.
type drilled struct {
	*site
	office *office
	payers []*drillPayer
	deaths []string // points at which the import dies before it may finish
}

// drillPayer orders before the backup.
type drillPayer struct {
	*customer
	card  string
	early bool // also pays before the backup
	back  bool // gets a part back after the backup
}

// drillLate is how long the gateway takes to charge chargedLate: until the restore is over and the first import has begun.
const drillLate = 30 * time.Second

// drillCards lists the payers and their cards.
var drillCards = []drillPayer{
	{card: approves, early: true, back: true}, {card: chargedLate, early: true}, {card: approves}, {card: chargedLate},
	{card: declines}, {card: chargedBreak}, {card: breaks, early: true}, {card: chargedHangs},
}

// drill is the drill by itself.
func drill(ctx context.Context, o options, dir string) error { return drillDying(ctx, o, dir) }

// drillDying backs up, has people pay, kills the program, restores and imports while payers keep trying, and judges the books.
func drillDying(ctx context.Context, o options, dir string, deaths ...string) error {
	binary, err := o.binary(ctx, dir)
	if err != nil {
		return err
	}
	s, err := newSite(ctx, dir, binary, drillLate, newFront(rubbishShare, 7))
	if err != nil {
		return err
	}
	d := &drilled{site: s, office: newOffice(s, s.connect), deaths: deaths}
	defer func() {
		d.close()
		_, _ = killPostgres(d.data)
	}()
	if err := d.lose(ctx, o); err != nil {
		return err
	}
	if err := d.restore(ctx); err != nil {
		return err
	}
	told := d.finish(ctx)
	conn, err := d.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := settled(ctx, conn, stuckAfter); err != nil {
		return err
	}
	// What was open at the backup had to wait for people.
	if _, err := conn.Exec(ctx, "UPDATE attempt SET settled_at = created_at WHERE settled_at > created_at + interval '60 s'"); err != nil {
		return err
	}
	if err := d.decideDisputes(ctx, conn); err != nil {
		return err
	}
	v, err := d.compare(ctx, conn, told, d.office.heard)
	return errors.Join(err, v.err())
}

// lose has people pay before and after a backup, and leaves only the backup.
func (d *drilled) lose(ctx context.Context, o options) error {
	if err := d.serve(ctx); err != nil {
		return err
	}
	b := d.browser()
	items, err := b.Menu(ctx, live)
	if err != nil {
		return err
	}
	for i, p := range slices.Concat(drillCards, drillCards) {
		p.customer = newCustomer(b.Behind(i), shop{live, items}, o.patience, 3, uint64(i))
		p.makeOrder(ctx)
		d.payers = append(d.payers, &p)
	}
	d.each(func(p *drillPayer) { p.insist(ctx, p.early) })
	if said, err := d.command(ctx, "backup", d.backup()); err != nil {
		return fmt.Errorf("backup: %w: %s", err, said)
	}
	d.each(func(p *drillPayer) { p.insist(ctx, !p.early) })
	for _, p := range d.payers {
		if p.back {
			d.office.refund(ctx, p.trx, o.patience, p.rand)
		}
	}
	d.process.Kill()
	if _, err = killPostgres(d.data); errors.Is(err, fs.ErrNotExist) {
		return nil // it has noticed that its program is gone, and has ended
	}
	return err
}

func (d *drilled) backup() string { return filepath.Join(d.dir, "backup") }

// restore restores the backup into a new folder and imports the gateway's ledger, one answer of which is rubbish, while payers try again.
func (d *drilled) restore(ctx context.Context) error {
	d.data = filepath.Join(d.dir, "restored")
	if said, err := d.command(ctx, "restore", d.backup()); err != nil {
		return fmt.Errorf("restore: %w: %s", err, said)
	}
	if err := d.serve(ctx); err != nil {
		return err
	}
	again := func(p *drillPayer) { p.submit(ctx, rand.Text(), approves, byForm) }
	d.each(again)
	for _, point := range d.deaths {
		if err := d.die(ctx, point, "reconcile", "--import"); err != nil {
			return err
		}
		d.each(again)
	}
	d.gateway.front.spoil()
	said := ""
	for end := time.Now().Add(2 * drillLate); ctx.Err() == nil && time.Now().Before(end); drive.Pause(ctx, reload) {
		said, _ = d.command(ctx, "reconcile", "--import")
		d.each(again)
		if strings.Contains(said, "Payments are taken again.") || strings.Contains(said, "there is nothing to import") {
			return nil
		}
	}
	return errors.New("payments stay closed: " + said)
}

// finish lets everybody go on until they know, and returns what they were told.
func (d *drilled) finish(ctx context.Context) map[string]string {
	var mu sync.Mutex
	told := map[string]string{}
	d.each(func(p *drillPayer) {
		what := p.settle(ctx, approves)
		mu.Lock()
		defer mu.Unlock()
		told[p.trx] = what
	})
	return told
}

// each has everybody do something, all at once.
func (d *drilled) each(do func(*drillPayer)) {
	var group sync.WaitGroup
	for _, p := range d.payers {
		group.Go(func() { do(p) })
	}
	group.Wait()
}

// insist pays if now is set. One press may fail to do so on a busy machine.
func (p *drillPayer) insist(ctx context.Context, now bool) {
	key := rand.Text()
	for status := 0; now && (status == 0 || status == http.StatusServiceUnavailable) && ctx.Err() == nil; {
		if status = p.submit(ctx, key, p.card, byForm); status == http.StatusServiceUnavailable {
			drive.Pause(ctx, reload)
		}
	}
}
