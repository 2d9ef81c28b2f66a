//go:build long

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/certificate/pebbletest"
	"forecourt/internal/dbtest"
)

// TestARollingRestartLosesNoRequest restarts two processes behind HAProxy in turn, several times, while orders are
// made and paid through it. Every request has to get its usual answer. It needs Debian's haproxy.
func TestARollingRestartLosesNoRequest(t *testing.T) {
	gateway := start(t, map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}, "sandbox", "--addr", "127.0.0.1:0")
	values := map[string]string{
		"DATABASE_URL": dbtest.URL(t), "FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DEMO": "on", "FORECOURT_DATA": folder(t),
		"GATEWAY_KEY": "key", "GATEWAY_URL": gateway.ready(), "TRUSTED_PROXIES": "127.0.0.1", "FORECOURT_DRAIN": "2s",
	}
	front, backs := pebbletest.Free(t), []string{pebbletest.Free(t), pebbletest.Free(t)}
	values["FORECOURT_URL"] = "http://" + front
	serveAt := func(address string) *program {
		p := start(t, with(values, "FORECOURT_ADDR", address), "serve")
		p.ready()
		return p
	}
	programs := []*program{serveAt(backs[0]), serveAt(backs[1])}
	bothUp := proxy(t, front, backs)
	bothUp()

	var stop atomic.Bool
	var flow sync.WaitGroup
	var served atomic.Int64
	for range 4 {
		flow.Go(func() {
			c := newCustomer(t, "http://"+front)
			for !stop.Load() {
				c.send(http.MethodGet, "/pos/panezski", "", "", "200")
				id := c.json(c.order("panezski"), "panezski", "200", "pan", approves)
				c.send(http.MethodGet, "/pos/panezski/"+id, "", "", "200")
				served.Add(5)
			}
		})
	}
	for range 3 {
		for i, address := range backs {
			if code := programs[i].end(); code != 0 {
				t.Errorf("stopped with %d: %s", code, programs[i].stderr)
			}
			programs[i] = serveAt(address)
			bothUp() // as an operator would, so that never both are gone
		}
	}
	stop.Store(true)
	flow.Wait()
	t.Logf("%d requests through 6 restarts", served.Load())
	if served.Load() < 100 {
		t.Error("too few requests")
	}
}

// proxy starts HAProxy with the backend of deploy/haproxy.cfg and a frontend without TLS. bothUp waits until HAProxy uses both processes.
func proxy(t *testing.T, front string, backs []string) (bothUp func()) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	config := string(text)
	for pattern, with := range map[string]string{
		`(?m)^    bind :80$`: "    bind " + front, `(?m)^    bind :443.*$`: "", `(?m)^    http-request redirect.*$`: "",
		`127\.0\.0\.1:8081`: backs[0], `127\.0\.0\.1:8082`: backs[1],
	} {
		if !regexp.MustCompile(pattern).MatchString(config) {
			t.Fatalf("deploy/haproxy.cfg lacks %s", pattern)
		}
		config = regexp.MustCompile(pattern).ReplaceAllString(config, with)
	}
	figures := pebbletest.Free(t)
	config += "\nlisten figures\n    bind " + figures + "\n    stats enable\n    stats uri /\n"
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	haproxy := exec.CommandContext(t.Context(), "haproxy", "-db", "-f", file)
	haproxy.Stdout, haproxy.Stderr = t.Output(), t.Output()
	if err := haproxy.Start(); err != nil {
		t.Fatalf("haproxy (apt-get install haproxy): %v", err)
	}
	t.Cleanup(func() { _ = haproxy.Process.Kill(); _ = haproxy.Wait() })
	return func() {
		apptest.Eventually(t, "the proxy sends to both", func() bool {
			res, err := http.Get("http://" + figures + "/;csv")
			if err != nil {
				return false
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			return err == nil && len(regexp.MustCompile(`(?m)^forecourt,(one|two),.*,UP,`).FindAll(text, -1)) == 2
		})
	}
}
