package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
)

// finish lets everybody go on until they know.
func (d *drilled) finish(ctx context.Context) (map[string]shown, error) {
	what := make([]shown, len(d.payers))
	group, ctx := errgroup.WithContext(ctx)
	for i, p := range d.payers {
		group.Go(func() error { what[i] = p.settle(ctx, approves); return nil })
	}
	heard := map[string]shown{}
	err := group.Wait()
	for i, p := range d.payers {
		heard[p.trx] = what[i]
	}
	return heard, err
}

// press has everybody who gets a card press Pay once.
func (d *drilled) press(ctx context.Context, card func(*drillPayer) string) {
	d.each(card, func(p *drillPayer, with string) { p.submit(ctx, rand.Text(), with, byForm) })
}

// pay has everybody who gets a card pay, which one press may fail to do on a busy machine.
func (d *drilled) pay(ctx context.Context, card func(*drillPayer) string) {
	d.each(card, func(p *drillPayer, with string) {
		key := rand.Text()
		for status := 0; (status == 0 || status == http.StatusServiceUnavailable) && ctx.Err() == nil; {
			if status = p.submit(ctx, key, with, byForm); status == http.StatusServiceUnavailable {
				pause(ctx, reload)
			}
		}
	})
}

// each has everybody who gets a card do something with it, all at once.
func (d *drilled) each(card func(*drillPayer) string, do func(p *drillPayer, with string)) {
	var group sync.WaitGroup
	for _, p := range d.payers {
		if with := card(p); with != "" {
			group.Go(func() { do(p, with) })
		}
	}
	group.Wait()
}

func (d *drilled) env() ([]string, error) {
	return []string{
		"FORECOURT_ADDR=" + d.listen, "FORECOURT_DATA=" + d.data, "FORECOURT_DEMO=on", "TRUSTED_PROXIES=127.0.0.1",
		"GATEWAY_URL=http://" + d.gateway.front.address, "GATEWAY_KEY=" + d.gateway.key, "GATEWAY_ID=" + d.gateway.id,
		"GATEWAY_TIMEOUT=" + gatewayTimeout.String(), "REDIRECT_HOSTS=" + d.gateway.host(),
	}, nil
}

func (d *drilled) serve(ctx context.Context) (err error) {
	env, err := d.env()
	if err == nil {
		d.process, err = launch(ctx, filepath.Join(d.dir, "program.log"), env, d.binary, "serve")
	}
	return err
}

func (d *drilled) command(ctx context.Context, args ...string) (string, error) {
	env, err := d.env()
	if err != nil {
		return "", err
	}
	return command(ctx, d.binary, env, args...)
}
