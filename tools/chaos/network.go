package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// network is the wires between the program and what it depends on.
type network struct{ database, gateway *wire }

// wire is one proxy.
type wire struct{ proxy *toxiproxy.Proxy }

// connect lays the wires. The addresses are host:port.
func connect(database, gateway string) (*network, error) {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	n := &network{
		database: &wire{toxiproxy.NewProxy(server, "database", "127.0.0.1:0", database)},
		gateway:  &wire{toxiproxy.NewProxy(server, "gateway", "127.0.0.1:0", gateway)},
	}
	if err := n.database.proxy.Start(); err != nil {
		return nil, err
	}
	return n, n.gateway.proxy.Start()
}

func (n *network) close() {
	n.database.proxy.Stop()
	n.gateway.proxy.Stop()
}

func (w *wire) address() string { return w.proxy.Listen }

// cut is one way in which the network fails.
type cut struct {
	name string
	do   func(ctx context.Context) error
}

// cuts lists every kind, database and gateway in turn.
func (n *network) cuts() []cut {
	database, gateway := n.database, n.gateway
	return []cut{
		{"database down", database.down(600 * time.Millisecond)},
		{"gateway's answers lost", gateway.poison(2*time.Second, "timeout", "downstream", 1, attributes{"timeout": 0})},
		{"database silent", database.poison(time.Second, "timeout", "upstream", 1, attributes{"timeout": 0})},
		{"gateway slow", gateway.poison(3*time.Second, "latency", "upstream", 0.5, attributes{"latency": 2500})},
		{"database's answers lost", database.poison(time.Second, "timeout", "downstream", 1, attributes{"timeout": 0})},
		{"gateway resets", gateway.poison(time.Second, "reset_peer", "downstream", 0.5, attributes{"timeout": 20})},
		{"database resets", database.poison(200*time.Millisecond, "reset_peer", "downstream", 1, attributes{"timeout": 0})},
		{"gateway down", gateway.down(600 * time.Millisecond)},
		{"database flickers", database.down(0)},
		{"gateway silent", gateway.poison(2*time.Second, "timeout", "upstream", 1, attributes{"timeout": 0})},
	}
}

type attributes map[string]int

// down breaks every connection and refuses new ones for a while.
func (w *wire) down(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		w.proxy.Stop()
		pause(ctx, d)
		return w.proxy.Start()
	}
}

// poison makes a share (toxicity) of the connections misbehave for a while.
func (w *wire) poison(d time.Duration, kind, stream string, toxicity float32, a attributes) func(context.Context) error {
	return func(ctx context.Context) error {
		toxic, err := json.Marshal(map[string]any{
			"name": kind, "type": kind, "stream": stream, "toxicity": toxicity, "attributes": a,
		})
		if err != nil {
			return err
		}
		if _, err := w.proxy.Toxics.AddToxicJson(strings.NewReader(string(toxic))); err != nil {
			return err
		}
		pause(ctx, d)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return w.proxy.Toxics.RemoveToxic(ctx, kind)
	}
}
