package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rs/zerolog"

	"forecourt/tools/drive"
)

// network holds the wires between the program and what it depends on.
type network struct{ database, gateway wire }

// wire is a proxy that can misbehave.
type wire struct{ *toxiproxy.Proxy }

// connect makes the wires to a database and to the host:port of a gateway.
func connect(ctx context.Context, database *pgx.ConnConfig, gateway string) (*network, error) {
	socket, err := net.Listen("tcp", loopback)
	if err != nil {
		return nil, err
	}
	go forward(context.WithoutCancel(ctx), socket, database)
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	n := &network{
		wire{toxiproxy.NewProxy(server, "database", loopback, socket.Addr().String())},
		wire{toxiproxy.NewProxy(server, "gateway", loopback, gateway)},
	}
	return n, errors.Join(n.database.Start(), n.gateway.Start())
}

// forward passes connections on to a database's unix socket, as long as the program runs: a wire needs a port.
func forward(ctx context.Context, from net.Listener, database *pgx.ConnConfig) {
	var to net.Dialer
	network, address := pgconn.NetworkAddress(database.Host, database.Port)
	for {
		near, err := from.Accept()
		if err != nil {
			return
		}
		far, err := to.DialContext(ctx, network, address)
		if err != nil {
			_ = near.Close()
			continue
		}
		for _, ends := range [][2]net.Conn{{near, far}, {far, near}} {
			go func() {
				_, _ = io.Copy(ends[0], ends[1])
				_ = ends[0].Close()
			}()
		}
	}
}

func (n *network) close() {
	n.database.Stop()
	n.gateway.Stop()
}

// fault is one way in which something fails.
type fault struct {
	name string
	do   func(ctx context.Context) error
}

// cuts lists every kind of cut, alternately of the database and the gateway.
func (n *network) cuts() []fault {
	database, gateway := n.database, n.gateway
	return []fault{
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
func (w wire) down(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		w.Stop()
		drive.Pause(ctx, d)
		return w.Start()
	}
}

// poison makes a share of the connections (toxicity) misbehave for a while.
func (w wire) poison(d time.Duration, kind, stream string, toxicity float32, a attributes) func(context.Context) error {
	return func(ctx context.Context) error {
		toxic, err := json.Marshal(map[string]any{
			"name": kind, "type": kind, "stream": stream, "toxicity": toxicity, "attributes": a,
		})
		if err != nil {
			return err
		}
		if _, err := w.Toxics.AddToxicJson(bytes.NewReader(toxic)); err != nil {
			return err
		}
		drive.Pause(ctx, d)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return w.Toxics.RemoveToxic(ctx, kind)
	}
}
