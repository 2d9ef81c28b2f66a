//go:build long

package main

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/certificate/pebbletest"
	"forecourt/internal/demo"
)

// TestMenusComeFromAReplicaWhileItFollows reads menus while the replica follows, stops, catches up and is gone. Sold out always
// has to show.
func TestMenusComeFromAReplicaWhileItFollows(t *testing.T) {
	primary := newDebian(t)
	standby := primary.newStandby()
	values := site(t, primary.url("forecourt"))
	values["DATABASE_REPLICA_URL"], values["FORECOURT_ADMIN_ADDR"] = standby.url("forecourt"), pebbletest.Free(t)
	p := startProcess(t, values, "serve")
	c := newCustomer(t, p.address)
	c.signIn(demo.Password, "303")

	// reads requests the menu and returns how many reads each server has answered so far.
	reads := func(from string) int {
		c.send(http.MethodGet, "/api/pos/panezski", "", "", "200")
		_, text := get(t, "http://"+values["FORECOURT_ADMIN_ADDR"]+"/metrics")
		found := regexp.MustCompile(`forecourt_menu_reads_total\{from="` + from + `"\} (\d+)`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("no figure of reads from %s", from)
		}
		n, _ := strconv.Atoi(found[1])
		return n
	}
	answers := func(from string) {
		t.Helper()
		before := reads(from)
		apptest.Eventually(t, "menus come from the "+from, func() bool { return reads(from) > before })
	}
	// tap presses Sold out or its opposite and waits until the menu shows it.
	tap := func(button string) {
		t.Helper()
		type menu struct {
			Items []struct {
				ID      int64
				SoldOut bool
			}
		}
		var m menu
		c.read(c.send(http.MethodGet, "/api/pos/panezski", "", "", "200"), &m)
		item, since := strconv.FormatInt(m.Items[0].ID, 10), time.Now()
		c.send(http.MethodPost, "/pos/panezski/kitchen", formType, url.Values{button: {item}}.Encode(), "303")
		apptest.Eventually(t, button+" shows", func() bool {
			m = menu{}
			c.read(c.send(http.MethodGet, "/api/pos/panezski", "", "", "200"), &m)
			return m.Items[0].SoldOut == (button == "sellout")
		})
		t.Logf("%s showed after %s", button, time.Since(since).Round(time.Millisecond))
	}
	check := func(replica string, code int, says string) {
		t.Helper()
		var out strings.Builder
		changed := maps.Clone(values)
		changed["DATABASE_REPLICA_URL"], changed["SMTP_URL"] = replica, "smtp://127.0.0.1:1"
		if got := run(t.Context(), []string{"serve", "--check-config"}, from(changed), &out, &out); got != code || !strings.Contains(out.String(), says) {
			t.Errorf("--check-config: %d %s, want %d %s", got, &out, code, says)
		}
	}

	answers("replica")
	tap("sellout")
	check(standby.url("forecourt"), 0, "read from a replica")
	check(primary.url("forecourt"), 1, "DATABASE_REPLICA_URL: it is not a replica")

	standby.exec("SELECT pg_wal_replay_pause()")
	tap("sell")
	answers("primary")
	check(standby.url("forecourt"), 1, "DATABASE_REPLICA_URL: it is more than 300ms behind")

	standby.exec("SELECT pg_wal_replay_resume()")
	answers("replica")
	tap("sellout")

	standby.kill(syscall.SIGKILL)
	tap("sell")
	answers("primary")
	check(standby.url("forecourt"), 1, "DATABASE_REPLICA_URL: asking the replica")
	values["FORECOURT_ADMIN_ADDR"] = ""
	c.site = startProcess(t, values, "serve").address // the program starts although the replica is gone
	c.send(http.MethodGet, "/pos/panezski", "", "", "200")
	for line := range strings.Lines(p.stderr.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log has the line %s", line)
		}
	}
}
