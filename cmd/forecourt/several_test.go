package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// site returns the settings that several processes of one site share.
func site(t *testing.T, databaseURL string) map[string]string {
	t.Helper()
	values := map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}
	values["GATEWAY_URL"] = start(t, values, "sandbox", "--addr", "127.0.0.1:0").ready()
	values["FORECOURT_ADDR"], values["FORECOURT_DEMO"] = "127.0.0.1:0", "on"
	values["DATABASE_URL"], values["FORECOURT_SECRET"] = databaseURL, strings.Repeat("s", 32)
	values["GATEWAY_TIMEOUT"] = "2s"
	return values
}

func TestSeveralProcessesOnOneDatabaseAreOneSite(t *testing.T) {
	t.Parallel()
	values := site(t, dbtest.URL(t))
	one, two := startProcess(t, values, "serve"), startProcess(t, values, "serve")
	c := newCustomer(t, one.address)
	at := func(p *process) { c.site = p.address }

	// A person who signed in at one process is signed in at the other.
	c.signIn(demo.Email, demo.Password, "303")
	at(two)
	c.send(http.MethodGet, "/pos/panezski/kitchen", "", "", "200")

	hearEachOther(t, one, two)

	// Wrong passwords at both processes count together.
	for _, p := range []*process{one, two, one, two, one} {
		at(p)
		c.signIn(demo.Email, "a guess", "422")
	}
	for _, p := range []*process{one, two} {
		at(p)
		c.signIn(demo.Email, demo.Password, "429")
	}

	sweptByTheOther(t, values, c, one, two)
	id := c.order("panezski")
	c.json(id, "panezski", "200", "pan", approves)
	shell{t, values}.does(0, "reconcile")
}

// sweptByTheOther kills a process that has sent a charge to the gateway and waits for the answer. The other process finds the outcome.
func sweptByTheOther(t *testing.T, values map[string]string, c *customer, one, two *process) {
	t.Helper()
	conn := connect(t, values["DATABASE_URL"])
	c.site = two.address
	id := c.order("panezski")
	go func() { // nobody waits for the answer
		body := strings.NewReader(c.body(id, "panezski", "pan", "4000000000000259"))
		if res, err := http.Post(one.address+"/api/pay", "application/json", body); err == nil {
			_ = res.Body.Close()
		}
	}()
	attempts := func(where string) func() bool {
		return func() bool {
			return query(t, conn, "SELECT count(*)::text FROM attempt WHERE transaction_id = '"+id+"' AND "+where)[0] == "1"
		}
	}
	apptest.Eventually(t, "the gateway has charged", func() bool { return captures(t, values["GATEWAY_URL"])[id] == 1 })
	one.kill()
	apptest.Eventually(t, "its lease has ended", attempts("lease_until < now() OR state <> 'submitting'"))
	c.becomes("panezski", id, "success")
}

// hearEachOther makes an order at one process and pays for it at the other. A tap in the kitchen there reaches the page at the first.
func hearEachOther(t *testing.T, one, two *process) {
	t.Helper()
	c := newCustomer(t, two.address)
	c.signIn(demo.Email, demo.Password, "303")
	c.site = one.address
	id := c.order("panezski")
	c.site = two.address
	c.json(id, "panezski", "200", "pan", approves)
	c.site = one.address
	page := c.follow("/pos/panezski/" + id + "/events")
	c.site = two.address
	makeAll(c, id)
	page.hears(`data-state="completed"`)
}

// makeAll taps Done for every place of a paid order, as an admin of its business.
func makeAll(c *customer, id string) {
	c.t.Helper()
	var trx struct {
		Order []struct{ Info struct{ Loc string } }
	}
	c.read(c.send(http.MethodGet, "/api/pos/panezski/"+id, "", "", "200"), &trx)
	for _, line := range trx.Order {
		c.send(http.MethodPost, "/pos/panezski/kitchen", formType, url.Values{"done": {id + " " + line.Info.Loc}}.Encode(), "303")
	}
}

// captures counts the charges of each transaction in the gateway's ledger.
func captures(t *testing.T, gateway string) map[string]int {
	t.Helper()
	charges := map[string]int{}
	for _, entry := range ledger(t, gateway) {
		charges[entry.TrxID] += entry.Arrivals
	}
	return charges
}

// movement is a line of the gateway's ledger.
type movement struct {
	Kind, TrxID, Amount string
	Arrivals            int
}

// ledger reads the gateway's ledger.
func ledger(t *testing.T, gateway string) (all []movement) {
	t.Helper()
	c := newCustomer(t, gateway)
	c.bearer = "key"
	for cursor := ""; ; {
		var page struct {
			Entries []movement
			Next    string
		}
		c.read(c.send(http.MethodGet, "/ledger?cursor="+cursor, "", "", "200"), &page)
		all = append(all, page.Entries...)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}

func TestServeWaitsForADatabaseThatStartsLater(t *testing.T) {
	t.Parallel()
	at, err := pgx.ParseConfig(dbtest.URL(t))
	check.Must(t, err)
	socket := fmt.Sprintf(".s.PGSQL.%d", at.Port)
	away := t.TempDir()
	p := start(t, site(t, fmt.Sprintf("postgres:///%s?host=%s&port=%d&user=%s", at.Database, away, at.Port, at.User)), "serve")
	apptest.Eventually(t, "it says that it waits", func() bool { return strings.Contains(p.stderr.String(), "waiting for the database") })
	check.Must(t, os.Symlink(filepath.Join(at.Host, socket), filepath.Join(away, socket)))
	code, _ := get(t, p.ready()+"/readyz")
	check.Equal(t, code, http.StatusOK, "ready")
}

func TestServeDoesNotWaitForADatabaseThatRefuses(t *testing.T) {
	t.Parallel()
	at, err := pgx.ParseConfig(dbtest.URL(t))
	check.Must(t, err)
	values := site(t, fmt.Sprintf("postgres:///nowhere?host=%s&port=%d&user=%s", at.Host, at.Port, at.User))
	said := shell{t, values}.says(1, `"nowhere" does not exist`, "serve")
	check.Lacks(t, said, "waiting", "it says")
}
