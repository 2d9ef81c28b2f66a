//go:build long

package main

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
)

// TestARollingRestartLosesNoRequest restarts two processes behind a balancer in turn, several times, while orders are
// made and paid through it. Every request has to get its usual answer.
func TestARollingRestartLosesNoRequest(t *testing.T) {
	gateway := start(t, map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}, "sandbox", "--addr", "127.0.0.1:0")
	values := map[string]string{
		"DATABASE_URL": dbtest.URL(t), "FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DEMO": "on", "FORECOURT_DATA": folder(t),
		"GATEWAY_KEY": "key", "GATEWAY_URL": gateway.ready(), "TRUSTED_PROXIES": "127.0.0.1", "FORECOURT_DRAIN": "2s",
	}
	front, backs := fake.FreeAddress(t), []string{fake.FreeAddress(t), fake.FreeAddress(t)}
	values["FORECOURT_URL"] = "http://" + front
	serveAt := func(address string) *program {
		p := start(t, with(values, "FORECOURT_ADDR", address), "serve")
		p.ready()
		return p
	}
	programs := []*program{serveAt(backs[0]), serveAt(backs[1])}
	bothUp := balance(t, front, backs)
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

// balance serves at front and sends each request to the next of the processes that are ready, for which it asks as often as a proxy does.
// bothUp waits until both are.
func balance(t *testing.T, front string, backs []string) (bothUp func()) {
	t.Helper()
	ready := make([]atomic.Bool, len(backs))
	for i, back := range backs {
		go func() {
			for t.Context().Err() == nil {
				res, err := http.Get("http://" + back + "/readyz")
				if err == nil {
					_ = res.Body.Close()
				}
				ready[i].Store(err == nil && res.StatusCode == http.StatusOK)
				<-time.After(200 * time.Millisecond)
			}
		}()
	}
	var turn atomic.Uint64
	server := &http.Server{Addr: front, Handler: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		i := turn.Add(1) % 2
		if !ready[i].Load() {
			i = 1 - i
		}
		r.SetURL(&url.URL{Scheme: "http", Host: backs[i]})
		r.Out.Host = r.In.Host
		r.SetXForwarded()
	}}}
	listener, err := net.Listen("tcp", front)
	check.Must(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return func() {
		apptest.Eventually(t, "both processes are ready", func() bool { return ready[0].Load() && ready[1].Load() })
	}
}
