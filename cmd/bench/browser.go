package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/evanw/esbuild/pkg/api"
)

// script is the path of the browser's part once built: below the repository, so that it finds node_modules.
const script = ".tools/bench/browser.mjs"

// pageFigures is what e2e/bench/main.ts prints about one page: bytes, Lighthouse scores from 0 to 100, milliseconds.
type pageFigures struct {
	Weight struct{ Critical, Early, Scripts, Pictures float64 }
	Audit  struct{ Performance, Accessibility, Shift, Blocking float64 }
}

type browserFigures struct {
	Ready         struct{ Menu, HandWritten, React, Payment, ReactPayment float64 }
	Menu, Payment pageFigures
}

// pages measures in a browser how soon the menu can be used, compared with two pages of the same content, one written by hand and one
// hydrated by React; how soon the payment page answers, compared with one hydrated by React; what pages weigh; and how Lighthouse scores
// them.
func (b *bench) pages(ctx context.Context, p *process) (err error) {
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return err
	}
	defer c.client.CloseIdleConnections()
	id, err := c.order(ctx)
	if err != nil {
		return err
	}
	static, err := c.handWritten(ctx, id)
	if err != nil {
		return err
	}
	bare, err := b.bare(ctx, static)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	figures, err := browse(ctx, p.url+menuPath, p.url+"/pos/panezski/"+id, bare.url+handWrittenPath, bare.url+reactPath, bare.url+reactPayPath)
	if err != nil {
		return err
	}
	b.section("First tap: 150 ms latency, 1.6 Mbit/s, processor four times slower, nothing cached; median of 7")
	b.known("first plus shows 1, hand-written static page", figures.Ready.HandWritten, milliseconds)
	b.atMost("first plus shows 1, menu page", figures.Ready.Menu, 700, milliseconds)
	b.known("first plus shows 1, page hydrated by React", figures.Ready.React, milliseconds)
	b.atMost("menu page, against the hand-written page", figures.Ready.Menu/figures.Ready.HandWritten, 1.25, times)
	b.known("menu page, against the page hydrated by React", figures.Ready.Menu/figures.Ready.React, times)
	b.section("Card form in place, on the same phone: a tap on Pay is answered by the page itself; median of 7")
	b.known("page hydrated by React", figures.Ready.ReactPayment, milliseconds)
	b.atMost("payment page", figures.Ready.Payment, 1000, milliseconds)
	b.atMost("payment page, against the page hydrated by React", figures.Ready.Payment/figures.Ready.ReactPayment, 0.65, times)
	b.page("Menu page with 40 items", figures.Menu)
	b.page("Payment page", figures.Payment)
	return nil
}

func (b *bench) page(title string, f pageFigures) {
	const kilobyte = 1024
	b.section(title + ": brotli on the wire, Lighthouse mobile (median of 3)")
	b.atMost("HTML and CSS", f.Weight.Critical, 14*kilobyte, octets)
	b.atMost("scripts before the first tap", f.Weight.Early, 18*kilobyte, octets)
	b.atMost("all scripts", f.Weight.Scripts, 85*kilobyte, octets)
	b.atMost("pictures of the first screen", f.Weight.Pictures, 60*kilobyte, octets)
	b.atLeast("Lighthouse performance", f.Audit.Performance, 99, plain)
	b.atLeast("Lighthouse accessibility", f.Audit.Accessibility, 100, plain)
	b.atMost("layout shift", f.Audit.Shift, 0, plain)
	b.atMost("blocking time", f.Audit.Blocking, 20, milliseconds)
}

// browse runs e2e/bench in Node.
func browse(ctx context.Context, urls ...string) (browserFigures, error) {
	var figures browserFigures
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{"e2e/bench/main.ts"}, Outfile: script, Bundle: true, Write: true,
		Platform: api.PlatformNode, Format: api.FormatESModule, Packages: api.PackagesExternal, LogLevel: api.LogLevelWarning,
	})
	if len(built.Errors) > 0 {
		return figures, errors.New("e2e/bench does not build")
	}
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, urls...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return figures, fmt.Errorf("e2e/bench: %w", err)
	}
	return figures, json.Unmarshal(out, &figures)
}
