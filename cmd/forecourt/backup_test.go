package main

import (
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/doctor"
)

const (
	approves = "4111111111111111"
	declines = "4000000000000002"
)

// newShell returns a shell for a site with demo data and a gateway that outlives the program.
func newShell(t *testing.T) shell {
	t.Helper()
	values := map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}
	gateway := start(t, values, "sandbox", "--addr", "127.0.0.1:0")
	values = map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t), "GATEWAY_KEY": "key", "GATEWAY_URL": gateway.ready(),
		"GATEWAY_TIMEOUT": "2s",
	}
	t.Cleanup(func() { gateway.end() })
	return shell{t, values}
}

// payments pays one order after another until stop is true, and returns those that were acknowledged as paid.
func payments(t *testing.T, site string, stop *atomic.Bool) (paid []string) {
	for c := newCustomer(t, site); !stop.Load(); {
		id := c.order("panezski")
		paid = append(paid, c.json(id, "panezski", "200", "pan", approves))
	}
	return paid
}

func TestARestoreForgetsNoPayment(t *testing.T) {
	t.Parallel()
	d := newShell(t)
	file := filepath.Join(t.TempDir(), "backup")
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())

	before, waits, expired := c.json(c.order("panezski"), "panezski", "200", "pan", approves), c.order("panezski"), c.order("panezski")
	refused := c.json(c.order("panezski"), "panezski", "200", "pan", declines)

	// Payments flow while the copy is made.
	var stop atomic.Bool
	var flow sync.WaitGroup
	flowing := make([][]string, 3)
	for i := range flowing {
		flow.Go(func() { flowing[i] = payments(t, c.site, &stop) })
	}
	d.says(0, " MB, of ", "backup", file)
	stop.Store(true)
	flow.Wait()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	// The backup holds nothing of what happens from here on.
	c.json(waits, "panezski", "200", "pan", approves)
	c.send(http.MethodPost, "/pos/panezski/"+refused+"/retry", formType, "", "303")
	c.json(refused, "panezski", "200", "pan", approves)
	lost := c.json(c.order("panezski"), "panezski", "200", "pan", approves)
	d.does(0, "refund", before, "--amount", "1.00")
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)

	d.values = maps.Clone(d.values)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	d.says(0, "Nothing is charged until", "restore", file)
	d.says(1, "there is a database in this data folder already", "restore", file)
	p = start(t, d.values, "serve")
	c = newCustomer(t, p.ready())
	for _, id := range []string{waits, expired, c.order("panezski")} {
		c.json(id, "panezski", "503", "pan", approves)
		c.form(id, "panezski", "303", "card", approves)
	}
	d.says(1, "run forecourt reconcile --import", "refund", before, "--amount", "1.00")
	if got := examine(d, 1)["payments"]; got.Verdict != doctor.Fail || !strings.Contains(got.Do, "forecourt reconcile --import") {
		t.Errorf("the doctor says of payments: %+v", got)
	}
	said := d.does(0, "reconcile", "--import")
	if !strings.Contains(said, "there is no transaction "+lost+" here") ||
		!strings.Contains(said, " and 1 refunds imported") || !strings.Contains(said, "Payments are taken again.") {
		t.Errorf("the import says %q", said)
	}
	for _, id := range []string{waits, refused, before} {
		c.becomes("panezski", id, "success")
	}
	for _, ids := range flowing {
		if len(ids) == 0 {
			t.Error("no payment flowed")
		}
		for _, id := range ids {
			// Payments for orders made after the copy are on the list for people to decide; orders that exist here are paid.
			if !strings.Contains(said, id) {
				c.becomes("panezski", id, "success")
			}
		}
	}
	c.json(expired, "panezski", "200", "pan", approves)
	c.json(waits, "panezski", "200", "pan", approves)
	d.says(1, "nothing to import", "reconcile", "--import")
	want := 1 + strings.Count(said, "there is no transaction ")
	books := d.does(1, "reconcile")
	if got := strings.Count(books, "\n") - 2; got != want ||
		!strings.Contains(books, "panezski AUD test: ") || strings.Count(books, "there is no transaction ") != want-1 {
		t.Errorf("the books differ in more than what a person has to decide (%d lines, want %d):\n%s", got, want, books)
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}

func TestOnlyABackupIsRestored(t *testing.T) {
	t.Parallel()
	d := newShell(t)
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "demo")
	d.does(0, "backup", file)
	whole, err := os.ReadFile(file)
	check.Must(t, err)
	for name, content := range map[string][]byte{
		"nothing": nil, "something else": []byte(strings.Repeat("no backup ", 100)), "cut off": whole[:len(whole)-len(whole)/3],
		"without its end": whole[:len(whole)-20],
		"damaged":         append(append([]byte{}, whole[:len(whole)/2]...), append([]byte("damage"), whole[len(whole)/2:]...)...),
	} {
		t.Run(name, func(t *testing.T) {
			d := shell{t, maps.Clone(d.values)}
			d.values["FORECOURT_DATA"] = folder(t)
			broken := filepath.Join(t.TempDir(), "broken")
			check.Must(t, os.WriteFile(broken, content, 0o600))
			d.fails(1, "not a whole backup", "restore", broken)
			left, err := os.ReadDir(d.values["FORECOURT_DATA"])
			if err != nil || len(left) != 0 {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
	for _, args := range [][]string{
		{"backup"}, {"restore"}, {"restore", file, "--taken", "2025-01-31"}, {"reconcile", "--import", "--from", "2025-01-31"},
	} {
		d.does(2, args...)
	}
	d.fails(1, "", "backup", filepath.Join(t.TempDir(), "nowhere", "x"))
}

func TestCommandsMakeNoDatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"backup", "x.bak"}, {"reconcile"}, {"retention"}, {"user", "list"}, {"payments"}, {"migrate"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			wrong := filepath.Join(folder(t), "nodata")
			d := shell{t, map[string]string{"FORECOURT_DATA": wrong}}
			d.fails(1, wrong+": the folder has no database: set FORECOURT_DATA", args...)
			_, err := os.Stat(wrong)
			check.ErrorIs(t, err, fs.ErrNotExist, "the command made the folder")
			_, err = os.Stat("x.bak")
			check.ErrorIs(t, err, fs.ErrNotExist, "the command made a backup of nothing")
		})
	}
}

func TestTheBuiltInSandboxOpensNoPaymentsAfterARestore(t *testing.T) {
	t.Parallel()
	d := shell{t, map[string]string{"FORECOURT_DATA": demoFolder(t)}}
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "demo")
	d.does(0, "backup", file)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	d.does(0, "restore", file)
	d.fails(1, "it no longer knows what it charged", "reconcile", "--import")
	d.does(0, "reconcile", "--import", "--accept-unknown")
}

func TestTheOperatorClosesPaymentsOfAnExternalDatabase(t *testing.T) {
	t.Parallel()
	d := shell{t, outside(t, dbtest.URL(t), "FORECOURT_DEMO", "on")}
	d.says(1, "pg_dump", "backup", filepath.Join(t.TempDir(), "x"))
	d.does(2, "restore", "x")
	ahead := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	d.says(1, "in the future", "restore", "--taken", ahead)
	d.says(2, `--taken: "half past nine" is neither`, "restore", "--taken", "half past nine")
	d.does(0, "restore", "--taken", "2025-01-31 09:30:00.123456+00") // as psql prints it
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	c.json(c.order("panezski"), "panezski", "503", "pan", approves)
	early := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	d.says(1, "the database holds work of "+time.Now().UTC().Format("2006-01-02T"), "restore", "--taken", early)
	d.does(0, "restore", "--served", "--taken", early)
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}
