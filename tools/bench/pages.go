package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/evanw/esbuild/pkg/api"
)

const menuPath = "/pos/" + shop + "?t=4"

// pages compares the menu and the payment page with bare handlers that write the same bytes; that of the payment page reads the order
// first.
func (b *bench) pages(ctx context.Context, m *market) error {
	c, err := dial(ctx, m.url)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	id, err := m.order(c)
	if err != nil {
		return err
	}
	menu, menuErr := b.page(ctx, m, menuPath, answer{})
	payment, err := b.page(ctx, m, "/pos/"+shop+"/"+id, answer{Order: id, DSN: m.dsn})
	if err := errors.Join(menuErr, err); err != nil {
		return err
	}
	b.compare("Menu page, 16 customers at once", "requests", "a bare net/http handler", 0.45, menu)
	b.compare("Payment page, 16 customers at once", "requests", "a bare pgx handler with the same statements", 0.5, payment)
	return nil
}

// page compares one page with a bare handler; floor says what the handler does beside writing the page.
func (b *bench) page(ctx context.Context, m *market, path string, floor answer) (r rates, err error) {
	page, err := record(ctx, m.url+path)
	if err != nil {
		return r, err
	}
	page.Order, page.DSN = floor.Order, floor.DSN
	bare, err := b.bare(ctx, page)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	side := func(p *process) func() (float64, error) {
		return func() (float64, error) {
			clients, hangUp, err := dialAll(ctx, p.url)
			if err != nil {
				return 0, err
			}
			defer hangUp()
			return rate(ctx, turnTime, clients, func(c *client) error { return c.get(path) })
		}
	}
	return turns(side(bare), side(m.process))
}

// openPages measures how much the program grows with pages that follow a quiet order, beside a bare handler that only holds its
// connections.
func (b *bench) openPages(ctx context.Context, m *market) error {
	c, err := dial(ctx, m.url)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	id, err := m.buy(c)
	if err != nil {
		return err
	}
	path := "/pos/" + shop + "/" + id + "/events"
	each, err := growth(ctx, m.process, path)
	if err != nil {
		return err
	}
	bare, err := b.bare(ctx, answer{})
	if err != nil {
		return err
	}
	least, err := growth(ctx, bare, path)
	if err := errors.Join(err, bare.stop()); err != nil {
		return err
	}
	b.section(fmt.Sprintf("Memory of an order page that is followed, of %d over HTTP/1.1", followed))
	b.known("a bare net/http handler that holds its connection", least, kilobytes)
	b.atMost("Forecourt", each, 30, kilobytes)
	return nil
}

const followed = 2000

// growth returns the memory that a process takes for each open page, in kB, once they have been quiet for a while.
func growth(ctx context.Context, p *process, path string) (float64, error) {
	before, err := p.memory()
	if err != nil {
		return 0, err
	}
	for i := range followed {
		c, err := dial(ctx, p.url)
		if err != nil {
			return 0, err
		}
		defer c.conn.Close()
		from := fmt.Sprintf("10.0.%d.%d", i/256, i%256)
		header := "Host: " + c.host + "\r\nAccept: text/event-stream\r\nX-Forwarded-For: " + from
		res, err := c.send("GET " + path + " HTTP/1.1\r\n" + header + "\r\n\r\n") //nolint:bodyclose // it stays open
		if err != nil {
			return 0, err
		}
		if res.StatusCode != http.StatusOK {
			return 0, fmt.Errorf("a page that is followed answers %s", res.Status)
		}
	}
	if err := wait(ctx, 10*time.Second); err != nil {
		return 0, err
	}
	after, err := p.memory()
	return (after - before) / followed, err
}

// script is the path of the browser's part once built: below the repository, so that it finds node_modules.
const script = ".tools/bench/browser.mjs"

// browse measures in Chromium how soon a phone begins to paint a page on a first visit, and what has to come over the wire for that.
func (b *bench) browse(ctx context.Context, m *market) error {
	c, err := dial(ctx, m.url)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	id, err := m.order(c)
	if err != nil {
		return err
	}
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{"e2e/bench.ts"}, Outfile: script, Bundle: true, Write: true,
		Platform: api.PlatformNode, Format: api.FormatESModule, Packages: api.PackagesExternal, LogLevel: api.LogLevelWarning,
	})
	if len(built.Errors) > 0 {
		return errors.New("e2e/bench.ts does not build")
	}
	cmd := exec.CommandContext(ctx, "node", script, m.url+menuPath, m.url+"/pos/"+shop+"/"+id)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("e2e/bench.ts: %w", err)
	}
	var seen []struct{ Paint, Bytes float64 }
	if err := json.Unmarshal(out, &seen); err != nil {
		return err
	}
	for i, title := range []string{"Menu page", "Payment page"} {
		b.section(title + ", first visit on Lighthouse's phone (150 ms, 1.6 Mbit/s, a processor four times slower)")
		b.atMost("first paint", seen[i].Paint, 800, milliseconds)
		b.atMost("HTML and critical style on the wire", seen[i].Bytes/1000, 14.6, kilobytes)
	}
	return nil
}
