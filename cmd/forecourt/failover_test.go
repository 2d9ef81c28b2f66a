//go:build long

package main

import (
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/app/apptest"
)

// payersAtOnce people pay while the database fails. The phases before and after last until so many payments were acknowledged.
const (
	payersAtOnce = 12
	phase        = 100
)

// TestAFailoverLosesNoAcknowledgedPayment kills the primary under load and promotes its synchronous standby, while two processes serve.
// They have to find the standby by themselves, every payment that a payer was told of has to be there, and the gateway's ledger has
// to equal the database.
func TestAFailoverLosesNoAcknowledgedPayment(t *testing.T) {
	primary := newDebian(t)
	standby := primary.newStandby()
	primary.exec("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
	values := site(t, fmt.Sprintf("postgres://postgres@127.0.0.1:%s,127.0.0.1:%s/forecourt?sslmode=disable&target_session_attrs=read-write",
		primary.port, standby.port))
	programs := []*process{startProcess(t, values, "serve"), startProcess(t, values, "serve")}

	told := &outcomes{}
	var stop atomic.Bool
	var flow errgroup.Group
	for i := range payersAtOnce {
		flow.Go(func() error {
			p := &payer{site: programs[i%2].address, told: told}
			for n := 0; !stop.Load(); n++ {
				if err := p.pay(t, n+i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	reaches := func(n int) {
		t.Helper()
		for last := -1; told.count() < n; { // ten seconds without a payment are too long
			last = told.count()
			apptest.Eventually(t, fmt.Sprintf("more than %d payments are acknowledged", last), func() bool { return told.count() > last })
		}
	}
	reaches(phase)
	before, longestGap, killed := told.count(), told.since(), time.Now()
	primary.kill(syscall.SIGKILL)
	standby.run("pg_ctl", "promote", "--pgdata", standby.dir)
	t.Logf("killed and promoted in %s", time.Since(killed).Round(10*time.Millisecond))
	reaches(before + phase)
	gap := longestGap()
	stop.Store(true)
	if err := flow.Wait(); err != nil {
		t.Error(err)
	}
	for _, p := range programs {
		select {
		case <-p.ended:
			t.Errorf("a process ended: %s", p.stderr)
		default:
		}
	}

	hearEachOther(t, programs[0], programs[1])

	conn := connect(t, standby.url("forecourt"))
	apptest.Eventually(t, "nothing is open", func() bool {
		return query(t, conn, "SELECT count(*)::text FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown')")[0] == "0"
	})
	told.hold(t, conn, values["GATEWAY_URL"])
	shell{t, values}.does(0, "reconcile") // the gateway's ledger and the database agree
	swept := query(t, conn, "SELECT count(*)::text FROM attempt WHERE checks > 0")[0]
	t.Logf("%d payments acknowledged before the primary was killed, %d in all; none of them for %s; %s resolved by the sweep",
		before, told.count(), gap.Round(10*time.Millisecond), swept)
}

// hold compares what payers were told with the database and the gateway's ledger.
func (b *outcomes) hold(t *testing.T, conn *pgx.Conn, gateway string) {
	t.Helper()
	paid := map[string]bool{}
	for _, id := range query(t, conn, "SELECT id FROM transaction WHERE approved_attempt IS NOT NULL") {
		paid[id] = true
	}
	charges := captures(t, gateway)
	lost, twice := 0, 0
	for _, id := range b.paid {
		if !paid[id] || charges[id] == 0 {
			lost++
		}
	}
	for id, n := range charges {
		if n > 1 {
			twice++
		}
		if !paid[id] {
			t.Errorf("%s is charged but not paid", id)
		}
	}
	for _, id := range b.declined {
		if paid[id] || charges[id] > 0 {
			t.Errorf("%s is paid, but its payer was told that it was declined", id)
		}
	}
	if lost > 0 || twice > 0 {
		t.Errorf("%d of %d acknowledged payments are lost, %d charged twice", lost, len(b.paid), twice)
	}
	t.Logf("%d charges at the gateway, %d paid in the database, %d declined", len(charges), len(paid), len(b.declined))
}
