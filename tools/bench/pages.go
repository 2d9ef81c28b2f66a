package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/tools/drive"
)

// customers is how many send requests at once.
const customers = 16

// client asks for pages over one connection that stays open. A client with more comfort would take more processor time than the server.
type client struct {
	net.Conn
	reader *bufio.Reader
	host   string
}

func dial(ctx context.Context, address string) (*client, error) {
	host := strings.TrimPrefix(address, "http://")
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 32<<10), host}, nil
}

// get requests a page, whose body has to be read before the next.
func (c *client) get(path, header string) (*http.Response, error) {
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", path, c.host, header); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(c.reader, nil)
	if err == nil && res.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("GET %s answers %s", path, res.Status), res.Body.Close())
	}
	return res, err
}

// browse requests a page again and again.
func browse(address, path string) func(context.Context, func() bool) error {
	return func(ctx context.Context, more func() bool) error {
		c, err := dial(ctx, address)
		if err != nil {
			return err
		}
		defer c.Close()
		for more() {
			res, err := c.get(path, "Accept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd")
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, res.Body)
			if err := errors.Join(err, res.Body.Close()); err != nil {
				return err
			}
		}
		return nil
	}
}

const (
	rounds   = 5
	turnTime = 3 * time.Second // long enough for pgbench, which counts whole seconds
)

// rate has all customers work at once for a turn, and returns how often more was true per second.
func rate(ctx context.Context, work func(ctx context.Context, more func() bool) error) (float64, error) {
	var done atomic.Int64
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	more := func() bool {
		on := time.Since(began) < turnTime && ctx.Err() == nil
		if on {
			done.Add(1)
		}
		return on
	}
	for range customers {
		group.Go(func() error { return work(ctx, more) })
	}
	err := group.Wait()
	return float64(done.Load()) / time.Since(began).Seconds(), err
}

// compare has a floor and the program take turns, so that other load on the machine hits both, and prints the medians of their work per
// second and of the program's share. A first round warms up and does not count. The sides also take turns in going first.
func (b *bench) compare(title, of, than string, target float64, floor, program func() (float64, error)) error {
	var floors, programs, shares []float64
	for round := range rounds + 1 {
		var measured [2]float64
		for turn := range measured {
			which := (round + turn) % 2
			var err error
			if measured[which], err = []func() (float64, error){floor, program}[which](); err != nil {
				return err
			}
		}
		if round > 0 {
			floors, programs = append(floors, measured[0]), append(programs, measured[1])
			shares = append(shares, measured[1]/measured[0])
		}
	}
	b.section(title)
	b.known(of+", "+than, median(floors), perSecond)
	b.known(of+", Forecourt", median(programs), perSecond)
	share := median(shares)
	b.beside("share of the floor's", share, "at least "+fmt.Sprintf(times, target), times, share >= target)
	return nil
}

const menuPath = "/pos/" + shop + "?t=4"

// pages compares the menu and the payment page with bare handlers that write the same bytes; that of the payment page reads the order
// first.
func (b *bench) pages(ctx context.Context, m *market) error {
	id, err := m.order(ctx)
	if err != nil {
		return err
	}
	return errors.Join(
		b.page(ctx, m, menuPath, "", "Menu page", "a bare net/http handler", 0.45),
		b.page(ctx, m, "/pos/"+shop+"/"+id, id, "Payment page", "a bare pgx handler with the same statements", 0.5),
	)
}

// page compares one page with a bare handler, which first reads the order if there is one.
func (b *bench) page(ctx context.Context, m *market, path, order, title, floor string, target float64) error {
	bare, err := b.bare(ctx, m.URL+path, order, m.dsn)
	if err != nil {
		return err
	}
	side := func(address string) func() (float64, error) {
		return func() (float64, error) { return rate(ctx, browse(address, path)) }
	}
	title += ", 16 customers at once"
	return errors.Join(b.compare(title, "requests", floor, target, side(bare.URL), side(m.URL)), bare.Stop())
}

// openPages measures how much the program grows with pages that follow a quiet order, beside a bare handler that only holds its
// connections.
func (b *bench) openPages(ctx context.Context, m *market) error {
	id, err := m.buy(ctx)
	if err != nil {
		return err
	}
	path := "/pos/" + shop + "/" + id + "/events"
	each, err := growth(ctx, m.Process, path)
	if err != nil {
		return err
	}
	bare, err := b.bare(ctx, m.URL+menuPath, "", "")
	if err != nil {
		return err
	}
	least, err := growth(ctx, bare, path)
	if err := errors.Join(err, bare.Stop()); err != nil {
		return err
	}
	b.section(fmt.Sprintf("Memory of an order page that is followed, of %d over HTTP/1.1", followed))
	b.known("a bare net/http handler that holds its connection", least, kilobytes)
	b.atMost("Forecourt", each, 30, kilobytes)
	return nil
}

const followed = 2000

// growth returns the memory that a process takes for each open page, in kB, once they have been quiet for a while.
func growth(ctx context.Context, p *drive.Process, path string) (float64, error) {
	before, err := p.Memory()
	if err != nil {
		return 0, err
	}
	for i := range followed {
		c, err := dial(ctx, p.URL)
		if err != nil {
			return 0, err
		}
		defer c.Close()
		header := fmt.Sprintf("Accept: text/event-stream\r\nX-Forwarded-For: 10.0.%d.%d", i/256, i%256)
		if _, err := c.get(path, header); err != nil { //nolint:bodyclose // it stays open
			return 0, err
		}
	}
	drive.Pause(ctx, 10*time.Second)
	after, err := p.Memory()
	return (after - before) / followed, err
}

// paint measures in Chromium how soon a phone begins to paint a page on a first visit, and what has to come over the wire for that. make
// has built its script from e2e/bench.ts.
func (b *bench) paint(ctx context.Context, m *market) error {
	id, err := m.order(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "node", ".tools/bench/browser.mjs", m.URL+menuPath, m.URL+"/pos/"+shop+"/"+id)
	cmd.Stdout, cmd.Stderr = b.out, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("e2e/bench.ts: %w", err)
	}
	return nil
}
