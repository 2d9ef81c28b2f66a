package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"forecourt/internal/run/outbound"
	"forecourt/ops/embedded"
	"forecourt/sandbox"
)

// sandboxCommand serves the gateway simulator and its bank page on one address.
type sandboxCommand struct {
	Addr string        `default:"127.0.0.1:3016" placeholder:"ADDRESS" help:"Listen address, default ${default}; port 0 takes a free one."`
	Late time.Duration `placeholder:"TIME" help:"How long after the payment the card …0358 is charged, default 12s."`
}

func (sandboxCommand) Help() string {
	return "GATEWAY_KEY is its key, FORECOURT_DATA the folder of its ledger, OUTBOUND_ALLOW the host:port " +
		"pairs that it may notify besides https on public addresses."
}

func (o sandboxCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	data := cmp.Or(c.Data, "data")
	if err := embedded.DropPrivileges(data); err != nil {
		return err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("FORECOURT_DATA: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	s, err := openSandbox(data, sandbox.Options{
		Key: c.GatewayKey.Reveal(), AllowLive: true, LateCharge: o.Late, PublicURL: func() string { return address },
		Outbound: outbound.New(c.OutboundAllow, sandbox.NotifyTimeout),
		Logger:   slog.New(slog.NewJSONHandler(env.stderr, nil)),
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/", s.Handler())
	for _, page := range []string{"/3ds/", "/hps", "/hps/", "/hosted.css", "/checkout.js", "/jquery.js"} {
		mux.Handle(page, s.Public())
	}
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		_ = s.Close() // cuts off deliberately slow answers
		_ = web.Close()
	}()
	fmt.Fprintln(env.stdout, "listening on", address)
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
