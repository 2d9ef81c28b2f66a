//go:build long

package main

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLosingAMachineWhilePaymentsFlow destroys the program and its data folder, restores the archive on an empty machine, and imports the
// gateway's ledger. PostgreSQL hands over its log in its own time, as on a real site. An acknowledged payment is paid, or named if it was
// acknowledged in the last 60 seconds. No money was taken twice.
func TestLosingAMachineWhilePaymentsFlow(t *testing.T) {
	t.Parallel()
	d, _ := archived(t)
	d.values["GATEWAY_TIMEOUT"] = "10s"
	p := startProcess(t, d.values, "serve")
	d.copies(1)

	var mu sync.Mutex
	acknowledged := map[string]time.Time{}
	var flow sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		flow.Go(func() {
			told := &outcomes{}
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				err := (&payer{site: p.address, told: told}).pay(t, n)
				mu.Lock()
				for _, id := range told.paid {
					acknowledged[id] = time.Now()
				}
				mu.Unlock()
				told.paid = nil
				if err != nil {
					return // the machine is gone
				}
			}
		})
	}
	const flowing = 100 * time.Second
	<-time.After(flowing)
	p.kill()
	lost := time.Now()
	if err := os.RemoveAll(d.values["FORECOURT_DATA"]); err != nil {
		t.Fatal(err)
	}
	close(stop)
	flow.Wait()

	d = d.elsewhere()
	said := d.does(0, "restore")
	_, moment, _ := strings.Cut(said, "The last restored change was made at ")
	moment, _, _ = strings.Cut(moment, ".\n")
	reached, err := time.Parse(time.RFC3339, moment)
	if err != nil || lost.Sub(reached) > time.Minute {
		t.Errorf("the machine was lost at %s: %q, %v", lost, said, err)
	}
	site := start(t, d.values, "serve")
	c := newCustomer(t, site.ready())
	imported := d.does(0, "reconcile", "--import")
	kept, named := 0, 0
	for id, at := range acknowledged {
		switch {
		case !strings.Contains(imported, id+"  there is no such transaction"):
			c.becomes("panezski", id, "success")
			kept++
		case lost.Sub(at) > time.Minute:
			t.Errorf("%s was acknowledged %s before the machine was lost, but is lost", id, lost.Sub(at))
		default:
			named++
		}
	}
	t.Logf("%d payments are kept and %d named in %s; the last change restored was %s before the end", kept, named, flowing, lost.Sub(reached))
	if kept == 0 {
		t.Error("no payment flowed")
	}
	// The books differ only in payments whose order is lost. A second capture would add a line.
	orphans := strings.Count(imported, "  there is no such transaction")
	code := 1
	if orphans == 0 {
		code = 0
	}
	books := d.does(code, "reconcile")
	if strings.Count(books, "we do not know it") != orphans || strings.Contains(books, "gateway does not know it") {
		t.Errorf("%d orders are lost, and the books differ in\n%s", orphans, books)
	}
	if code := site.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, site.stderr)
	}
}
