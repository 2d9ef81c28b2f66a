package main

import (
	"context"
	"errors"
	"time"
)

const (
	menuPath   = "/pos/panezski?t=4"
	chosenPath = "/pos/panezski?t=4&b=1x2" // as a phone without scripts requests it
	rounds     = 7
	roundTime  = 2 * time.Second
)

// speed holds one side's figures under load, in the units that the report prints.
type speed struct{ perSecond, p99, processor []float64 }

// menuPage compares the menu page with a bare handler that writes the same bytes under the same headers, and measures it with a basket. They
// take turns, so that other load on the machine hits both; each figure is the median of the rounds.
func (b *bench) menuPage(ctx context.Context, p *process) (err error) {
	page, err := record(ctx, p.url+menuPath)
	if err != nil {
		return err
	}
	bare, err := b.bare(ctx, map[string]answer{"/pos/panezski": page})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()

	var ours, theirs, chosen speed
	for _, side := range []*process{p, bare} {
		if _, err := hammer(ctx, side.url, menuPath, roundTime/2); err != nil {
			return err
		}
	}
	for range rounds {
		if _, err := theirs.round(ctx, bare, menuPath); err != nil {
			return err
		}
		if _, err := ours.round(ctx, p, menuPath); err != nil {
			return err
		}
		if _, err := chosen.round(ctx, p, chosenPath); err != nil {
			return err
		}
	}
	b.section("Menu page under load: brotli, 16 connections kept open, beside a bare net/http handler with the same bytes")
	b.known("requests, bare handler", median(theirs.perSecond), perSecond)
	b.known("requests, menu page", median(ours.perSecond), perSecond)
	b.atLeast("requests, share of the bare handler's", median(ours.perSecond)/median(theirs.perSecond), 0.6, times)
	b.known("slowest of a hundred (p99), bare handler", median(theirs.p99), milliseconds)
	b.known("slowest of a hundred (p99), menu page", median(ours.p99), milliseconds)
	b.known("processor time of a request, bare handler", median(theirs.processor), microseconds)
	b.known("processor time of a request, menu page", median(ours.processor), microseconds)
	b.atMost("processor time, against the bare handler's", median(ours.processor)/median(theirs.processor), 3, times)
	b.atLeast("requests, menu page with a choice of its own", median(chosen.perSecond), 4000, perSecond)
	b.known("processor time of a request, menu page with a choice", median(chosen.processor), microseconds)
	return nil
}

// round adds the figures of one turn and returns its requests.
func (s *speed) round(ctx context.Context, p *process, path string) (requests float64, err error) {
	before, err := p.processorTime()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	taken, err := hammer(ctx, p.url, path, roundTime)
	if err != nil {
		return 0, err
	}
	elapsed := time.Since(start)
	after, err := p.processorTime()
	if err != nil {
		return 0, err
	}
	requests = float64(len(taken))
	s.perSecond = append(s.perSecond, requests/elapsed.Seconds())
	s.p99 = append(s.p99, percentile99(taken))
	s.processor = append(s.processor, 1000*ms(after-before)/requests)
	return requests, nil
}
