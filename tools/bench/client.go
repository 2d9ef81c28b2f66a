package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// connections is the number of customers who send requests at once.
const connections = 16

// client sends requests over one connection that stays open. A client with more comfort would take more processor time than the server.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
	host   string
}

func dial(ctx context.Context, address string) (*client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 32<<10), u.Host}, nil
}

// dialAll opens all customers' connections. hangUp closes them.
func dialAll(ctx context.Context, address string) (clients []*client, hangUp func(), err error) {
	hangUp = func() {
		for _, c := range clients {
			_ = c.conn.Close()
		}
	}
	for range connections {
		c, err := dial(ctx, address)
		if err != nil {
			hangUp()
			return nil, nil, err
		}
		clients = append(clients, c)
	}
	return clients, hangUp, nil
}

// send sends a request and returns the answer, whose body has to be read before the next.
func (c *client) send(request string) (*http.Response, error) {
	if _, err := c.conn.Write([]byte(request)); err != nil {
		return nil, err
	}
	return http.ReadResponse(c.reader, nil)
}

// get requests a page and discards it.
func (c *client) get(path string) error {
	const accept = "Accept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
	res, err := c.send("GET " + path + " HTTP/1.1\r\nHost: " + c.host + "\r\n" + accept + "\r\n")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s answers %s", path, res.Status)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

// post sends a JSON body under a new idempotency key and reads the JSON answer, which has to be a 200 or 201.
func (c *client) post(path string, body []byte, into any) error {
	res, err := c.send(fmt.Sprintf(
		"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, c.host, rand.Text(), len(body), body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		return fmt.Errorf("POST %s answers %s: %s", path, res.Status, answer)
	}
	return json.Unmarshal(answer, into)
}

// rate makes all clients do the same thing at once, again and again for a given time, and returns how often they did it per second.
func rate(ctx context.Context, duration time.Duration, clients []*client, do func(*client) error) (float64, error) {
	var done atomic.Int64
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for _, c := range clients {
		group.Go(func() error {
			for time.Since(start) < duration && ctx.Err() == nil {
				if err := do(c); err != nil {
					return err
				}
				done.Add(1)
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), err
}

const (
	rounds   = 5
	turnTime = 3 * time.Second // long enough for pgbench, which counts whole seconds
)

// rates are two sides' work per second, and the program's share of the floor's.
type rates struct{ floor, program, share float64 }

// turns has two sides take turns, so that other load on the machine hits both, and returns the medians over the rounds. A first round
// warms up and does not count. The sides also take turns in going first.
func turns(floor, program func() (float64, error)) (rates, error) {
	var floors, programs, shares []float64
	for round := range rounds + 1 {
		var measured [2]float64
		for turn := range measured {
			which := (round + turn) % 2
			var err error
			if measured[which], err = []func() (float64, error){floor, program}[which](); err != nil {
				return rates{}, err
			}
		}
		if round > 0 {
			floors, programs = append(floors, measured[0]), append(programs, measured[1])
			shares = append(shares, measured[1]/measured[0])
		}
	}
	return rates{median(floors), median(programs), median(shares)}, nil
}

// compare prints two sides' rates and the program's share, with its target.
func (b *bench) compare(title, of, floor string, target float64, r rates) {
	b.section(title)
	b.known(of+", "+floor, r.floor, perSecond)
	b.known(of+", Forecourt", r.program, perSecond)
	b.atLeast("share of the floor's", r.share, target, times)
}
