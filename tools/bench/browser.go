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

// weight is what e2e/bench/weight.ts tells about a page: bytes and requests.
type weight struct{ Critical, Early, Scripts, Pictures, Requests float64 }

// lighthouse holds what e2e/bench/audit.ts tells about a page: scores from 0 to 100, milliseconds.
type lighthouse struct{ Performance, Accessibility, BestPractices, SEO, Paint, Shift, Blocking float64 }

// audit holds the medians of Lighthouse's runs, and how far they were apart.
type audit struct {
	lighthouse
	Spread lighthouse
}

type browserFigures struct {
	Ready   struct{ Menu, HandWritten, React, Payment, ReactPayment, PaymentAfterMenu float64 }
	Weights struct{ Menu, Payment weight }
	Audits  struct{ Start, Menu, Payment, SignIn, Docs audit }
}

// pages measures in a browser how soon the menu can be used, compared with two pages of the same content, one written by hand and one
// hydrated by React; how soon the payment page answers, compared with one hydrated by React; what pages weigh; and how Lighthouse scores
// them and other pages.
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
	b.atMost("payment page, on a visit that began at the menu", figures.Ready.PaymentAfterMenu, 500, milliseconds)
	b.weight("Menu page with 40 items", figures.Weights.Menu)
	b.atMost("requests", figures.Weights.Menu.Requests, 18, plain)
	b.weight("Payment page", figures.Weights.Payment)
	b.known("requests", figures.Weights.Payment.Requests, plain)
	b.audit("Start page", figures.Audits.Start)
	b.audit("Menu page", figures.Audits.Menu)
	b.audit("Payment page", figures.Audits.Payment)
	b.audit("Sign-in", figures.Audits.SignIn)
	b.audit("Docs", figures.Audits.Docs)
	return nil
}

func (b *bench) weight(title string, w weight) {
	const kilobyte = 1024
	b.section(title + ": brotli on the wire")
	b.atMost("HTML and CSS", w.Critical, 14*kilobyte, octets)
	b.atMost("scripts before the first tap", w.Early, 18*kilobyte, octets)
	b.atMost("all scripts", w.Scripts, 85*kilobyte, octets)
	b.atMost("pictures of the first screen", w.Pictures, 60*kilobyte, octets)
}

func (b *bench) audit(title string, a audit) {
	b.section(title + ": Lighthouse mobile, median of 3")
	b.atMost("first paint", a.Paint, 800, milliseconds)
	b.known("  between the quickest and the slowest", a.Spread.Paint, milliseconds)
	b.atLeast("performance", a.Performance, 99, plain)
	b.known("  between the worst and the best", a.Spread.Performance, plain)
	b.atLeast("accessibility", a.Accessibility, 100, plain)
	b.atLeast("best practices", a.BestPractices, 100, plain)
	b.atLeast("SEO", a.SEO, 100, plain)
	b.atMost("layout shift", a.Shift, 0, plain)
	b.atMost("blocking time", a.Blocking, 20, milliseconds)
	b.known("  between the quickest and the slowest", a.Spread.Blocking, milliseconds)
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
