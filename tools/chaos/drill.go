package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// restored is the name of the drill's promise.
const restored = "restore"

// drilled is a small separate site whose database is restored from a backup that knows less than the gateway.
type drilled struct {
	binary, listen, data string
	dir                  string
	patience             time.Duration
	gateway              *gateway
	process              *process
	payers               []*drillPayer
	share                float64  // the share of rubbish among the gateway's answers
	deaths               []string // points at which the import dies before it may finish
}

// drillPayer orders before the backup.
type drillPayer struct {
	*customer
	card  string
	early bool // also pays before the backup
	back  bool // gets a part back after the backup
}

// drillCards returns the payers and their cards. A payment with chargedLate waits at the gateway until the restore is over.
func drillCards() []drillPayer {
	return []drillPayer{
		{card: approves, early: true, back: true}, {card: chargedLate, early: true}, {card: approves}, {card: chargedLate},
		{card: declines}, {card: chargedBreak}, {card: breaks, early: true}, {card: chargedHangs},
	}
}

// drillAlone runs the drill without a load beside it.
func drillAlone(ctx context.Context, o options) error {
	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	binary, err := o.binary(ctx, dir)
	if err != nil {
		return err
	}
	if len(report(o.out, []promise{drill(ctx, filepath.Join(dir, "drill"), binary, patience)})) > 0 {
		return errBroken
	}
	return nil
}

// drill backs up, has people pay, kills the program, restores and imports while payers keep trying, and judges the books.
func drill(ctx context.Context, dir, binary string, patience time.Duration) promise {
	d := &drilled{binary: binary, dir: dir, data: filepath.Join(dir, "program"), patience: max(patience, time.Minute), share: rubbishShare}
	return d.judge(ctx)
}

// judge runs the drill and sums up what it broke.
func (d *drilled) judge(ctx context.Context) promise {
	found, err := d.do(ctx)
	d.close()
	if err != nil {
		return promise{restored, 1, "drill that came to no end: " + err.Error()}
	}
	var broken []string
	total := 0
	for _, p := range found {
		if p.broken > 0 {
			broken = append(broken, fmt.Sprintf("%d %s", p.broken, p.detail))
			total += p.broken
		}
	}
	detail := fmt.Sprintf("promises broken by a restore from a backup that knew less than the gateway (%d payers) ", len(d.payers))
	return promise{restored, total, detail + strings.Join(broken, "; ")}
}

func (d *drilled) close() {
	if d.process != nil {
		d.process.kill()
		_, _ = killPostgres(d.data)
	}
	if d.gateway != nil {
		d.gateway.close()
	}
}

func (d *drilled) do(ctx context.Context) ([]promise, error) {
	err := os.MkdirAll(d.dir, 0o755) //nolint:gosec // the cluster inside is closed
	if err != nil {
		return nil, err
	}
	if d.gateway, err = startGateway(ctx, d.dir, d.binary, "only", d.share, 7); err != nil {
		return nil, err
	}
	if d.listen, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	d.gateway.front.holds = true
	office := newBackOffice(d.binary, d.env, []*gateway{d.gateway})
	if err := d.lose(ctx, office); err != nil {
		return nil, err
	}
	if err := d.restore(ctx); err != nil {
		return nil, err
	}
	heard, err := d.finish(ctx)
	if err != nil {
		return nil, err
	}
	dsn, err := embedded.Attach(d.data, embedded.Database)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	b, err := readBooks(ctx, conn, []*gateway{d.gateway}, stuckAfter*time.Second)
	for i := range b.attempts {
		b.attempts[i].Seconds = 0 // the attempt had to wait for people
	}
	for i := range b.refunds {
		b.refunds[i].Seconds = 0
	}
	return append(append(judge(b, heard), judgeRefunds(b, office.heard)...), judgeEvents(b)), err
}

// lose has people pay before and after a backup, and leaves only the backup.
func (d *drilled) lose(ctx context.Context, office *backOffice) error {
	if err := d.serve(ctx); err != nil {
		return err
	}
	b := newBrowser(d.listen, 8)
	at := shop{code: live}
	var err error
	if at.items, err = b.menu(ctx, live); err != nil {
		return err
	}
	for i, p := range slices.Concat(drillCards(), drillCards()) {
		p.customer = newCustomer(b.behind(i), at, mathrand.New(mathrand.NewPCG(3, uint64(i)))) //nolint:gosec // no secret
		p.patience = d.patience
		p.makeOrder(ctx)
		d.payers = append(d.payers, &p)
	}
	d.pay(ctx, func(p *drillPayer) string {
		if p.early {
			return p.card
		}
		return ""
	})
	if said, err := d.command(ctx, "backup", d.backup()); err != nil {
		return fmt.Errorf("backup: %w: %s", err, said)
	}
	d.pay(ctx, func(p *drillPayer) string {
		if p.early {
			return ""
		}
		return p.card
	})
	for _, p := range d.payers {
		if p.back {
			office.refund(ctx, p.at.code, p.trx, d.patience, p.rand)
		}
	}
	d.process.kill()
	d.process = nil
	if _, err = killPostgres(d.data); errors.Is(err, fs.ErrNotExist) {
		return nil // it has noticed that its program is gone, and has ended
	}
	return err
}

func (d *drilled) backup() string { return filepath.Join(d.dir, "backup") }

// restore restores the backup into a new folder and imports the gateway's ledger, one answer of which is rubbish, while payers try again.
// The gateway captures its pending payment only after the first import.
func (d *drilled) restore(ctx context.Context) error {
	d.data = filepath.Join(d.dir, "restored")
	if said, err := d.command(ctx, "restore", d.backup()); err != nil {
		return fmt.Errorf("restore: %w: %s", err, said)
	}
	if err := d.serve(ctx); err != nil {
		return err
	}
	again := func(*drillPayer) string { return approves }
	d.press(ctx, again)
	env, err := d.env()
	if err != nil {
		return err
	}
	for _, point := range d.deaths {
		if err := die(ctx, d.binary, env, point, "reconcile", "--import"); err != nil {
			return err
		}
		d.press(ctx, again)
	}
	said := ""
	for tries := 0; ctx.Err() == nil && tries < 40; tries++ {
		said, _ = d.command(ctx, "reconcile", "--import")
		d.press(ctx, again)
		if tries == 0 {
			if err := d.gateway.front.release(ctx); err != nil {
				return err
			}
			d.gateway.front.spoil()
		}
		if strings.Contains(said, "Payments are taken again.") || strings.Contains(said, "there is nothing to import") {
			return nil
		}
		pause(ctx, reload)
	}
	return errors.New("payments stay closed: " + said)
}
