package main

import (
	"errors"
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

	"forecourt/internal/dbtest"
)

const (
	approves = "4111111111111111"
	declines = "4000000000000002"
)

// drill is a program with a gateway that outlives it.
type drill struct {
	t      *testing.T
	values map[string]string
}

func newDrill(t *testing.T) drill {
	t.Helper()
	values := map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}
	gateway := start(t, values, "sandbox", "--addr", "127.0.0.1:0")
	values = map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t), "GATEWAY_KEY": "key", "GATEWAY_URL": gateway.ready(),
		"GATEWAY_TIMEOUT": "2s",
	}
	t.Cleanup(func() { gateway.end() })
	return drill{t, values}
}

// does runs a command, which has to exit with code, and returns everything it prints.
func (d drill) does(code int, args ...string) string {
	d.t.Helper()
	var said strings.Builder
	if got := run(d.t.Context(), args, from(d.values), &said, &said); got != code {
		d.t.Errorf("%v: exit code %d, want %d: %s", args, got, code, &said)
	}
	return said.String()
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
	d := newDrill(t)
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
	if said := d.does(0, "backup", file); !strings.Contains(said, " MB, of ") {
		t.Errorf("it says %q", said)
	}
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
	if code := p.end(); code != 0 {
		t.Fatalf("stopped with %d: %s", code, p.stderr)
	}

	d.values = maps.Clone(d.values)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	if said := d.does(0, "restore", file); !strings.Contains(said, "Nothing is charged until") {
		t.Errorf("it says %q", said)
	}
	if said := d.does(1, "restore", file); !strings.Contains(said, "there is a database in this data folder already") {
		t.Errorf("a second restore says %q", said)
	}
	p = start(t, d.values, "serve")
	c = newCustomer(t, p.ready())
	for _, id := range []string{waits, expired, c.order("panezski")} {
		c.json(id, "panezski", "503", "pan", approves)
		c.form(id, "panezski", "303", "card", approves)
	}
	if said := d.does(1, "refund", before, "--amount", "1.00"); !strings.Contains(said, "run forecourt reconcile --import") {
		t.Errorf("a refund says %q", said)
	}
	said := d.does(0, "reconcile", "--import")
	if !strings.Contains(said, lost+"  there is no such transaction") ||
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
	if said := d.does(1, "reconcile", "--import"); !strings.Contains(said, "nothing to import") {
		t.Errorf("a second import says %q", said)
	}
	want := 1 + strings.Count(said, "  there is no such transaction")
	books := d.does(1, "reconcile")
	if got := strings.Count(books, "\n") - 2; got != want ||
		!strings.Contains(books, "panezski AUD test: ") || strings.Count(books, "we do not know it") != want-1 {
		t.Errorf("the books differ in more than what a person has to decide (%d lines, want %d):\n%s", got, want, books)
	}
	if code := p.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}

func TestOnlyABackupIsRestored(t *testing.T) {
	t.Parallel()
	d := newDrill(t)
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "demo")
	d.does(0, "backup", file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"nothing": nil, "something else": []byte(strings.Repeat("no backup ", 100)), "cut off": whole[:len(whole)-len(whole)/3],
		"without its end": whole[:len(whole)-20],
		"damaged":         append(append([]byte{}, whole[:len(whole)/2]...), append([]byte("damage"), whole[len(whole)/2:]...)...),
	} {
		t.Run(name, func(t *testing.T) {
			d := drill{t, maps.Clone(d.values)}
			d.values["FORECOURT_DATA"] = folder(t)
			broken := filepath.Join(t.TempDir(), "broken")
			if err := os.WriteFile(broken, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if said := d.does(1, "restore", broken); strings.Count(said, "\n") != 1 || !strings.Contains(said, "not a whole backup") {
				t.Errorf("it says %q", said)
			}
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
	if said := d.does(1, "backup", filepath.Join(t.TempDir(), "nowhere", "x")); strings.Count(said, "\n") != 1 {
		t.Errorf("it says %q", said)
	}
}

func TestCommandsMakeNoDatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"backup", "x.bak"}, {"reconcile"}, {"retention"}, {"user", "list"}, {"payments"}, {"migrate"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			wrong := filepath.Join(folder(t), "nodata")
			d := drill{t, map[string]string{"FORECOURT_DATA": wrong}}
			if said := d.does(1, args...); strings.Count(said, "\n") != 1 ||
				!strings.Contains(said, wrong+": the folder has no database: set FORECOURT_DATA") {
				t.Errorf("it says %q", said)
			}
			if _, err := os.Stat(wrong); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the command made the folder: %v", err)
			}
			if _, err := os.Stat("x.bak"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the command made a backup of nothing: %v", err)
			}
		})
	}
}

func TestTheBuiltInSandboxOpensNoPaymentsAfterARestore(t *testing.T) {
	t.Parallel()
	d := drill{t, map[string]string{"FORECOURT_DATA": demoFolder(t)}}
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "demo")
	d.does(0, "backup", file)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	d.does(0, "restore", file)
	if said := d.does(1, "reconcile", "--import"); strings.Count(said, "\n") != 1 ||
		!strings.Contains(said, "it no longer knows what it charged") {
		t.Errorf("it says %q", said)
	}
	d.does(0, "reconcile", "--import", "--accept-unknown")
}

func TestTheOperatorClosesPaymentsOfAnExternalDatabase(t *testing.T) {
	t.Parallel()
	d := drill{t, map[string]string{
		"DATABASE_URL": dbtest.URL(t), "FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DEMO": "on",
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": folder(t),
	}}
	if said := d.does(1, "backup", filepath.Join(t.TempDir(), "x")); !strings.Contains(said, "pg_dump") {
		t.Errorf("a backup says %q", said)
	}
	d.does(2, "restore", "x")
	ahead := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	if said := d.does(1, "restore", "--taken", ahead); !strings.Contains(said, "in the future") {
		t.Errorf("for a time in the future restore says %q", said)
	}
	if said := d.does(2, "restore", "--taken", "half past nine"); !strings.Contains(said, "--taken: \"half past nine\" is neither") {
		t.Errorf("for no time restore says %q", said)
	}
	d.does(0, "restore", "--taken", "2025-01-31 09:30:00.123456+00") // as psql prints it
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	c.json(c.order("panezski"), "panezski", "503", "pan", approves)
	early := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	if said := d.does(1, "restore", "--taken", early); !strings.Contains(
		said, "the database holds work of "+time.Now().UTC().Format("2006-01-02T"),
	) {
		t.Errorf("for a time that the database contradicts restore says %q", said)
	}
	d.does(0, "restore", "--served", "--taken", early)
	if code := p.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}
