package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// network holds the wires between the program and what it depends on: the database, and all gateways, which fail together.
type network struct{ database, gateways wires }

// wires are proxies, one for each address behind them.
type wires []*toxiproxy.Proxy

// connect makes the wires. Addresses are host:port.
func connect(database string, gateways ...string) (*network, error) {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	n := &network{database: wires{toxiproxy.NewProxy(server, "database", loopback, database)}}
	for _, address := range gateways {
		n.gateways = append(n.gateways, toxiproxy.NewProxy(server, "gateway "+address, loopback, address))
	}
	return n, errors.Join(n.database.start(), n.gateways.start())
}

func (n *network) close() {
	n.database.stop()
	n.gateways.stop()
}

func (w wires) start() error {
	for _, proxy := range w {
		if err := proxy.Start(); err != nil {
			return err
		}
	}
	return nil
}

func (w wires) stop() {
	for _, proxy := range w {
		proxy.Stop()
	}
}

// cut is one way in which the network fails.
type cut struct {
	name string
	do   func(ctx context.Context) error
}

// cuts lists every kind of cut, alternately of the database and the gateways.
func (n *network) cuts() []cut {
	database, gateway := n.database, n.gateways
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
func (w wires) down(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		w.stop()
		pause(ctx, d)
		return w.start()
	}
}

// poison makes a share of the connections (toxicity) misbehave for a while.
func (w wires) poison(d time.Duration, kind, stream string, toxicity float32, a attributes) func(context.Context) error {
	return func(ctx context.Context) error {
		toxic, err := json.Marshal(map[string]any{
			"name": kind, "type": kind, "stream": stream, "toxicity": toxicity, "attributes": a,
		})
		if err != nil {
			return err
		}
		for _, proxy := range w {
			if _, err := proxy.Toxics.AddToxicJson(bytes.NewReader(toxic)); err != nil {
				return err
			}
		}
		pause(ctx, d)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		for _, proxy := range w {
			err = errors.Join(err, proxy.Toxics.RemoveToxic(ctx, kind))
		}
		return err
	}
}
