package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"forecourt/internal/gateway/sandbox"
	"forecourt/internal/outbound"
)

// migrate brings the database up to date.
func migrate(ctx context.Context, env environment, args []string) error {
	about := "Brings the database up to date. Several may run at once."
	if err := env.parse(flag.NewFlagSet("migrate", flag.ContinueOnError), args, about); err != nil {
		return err
	}
	return withDatabase(ctx, env, func(config, *database) error { return nil })
}

// version prints what was built.
func version(_ context.Context, env environment, args []string) error {
	if err := env.parse(flag.NewFlagSet("version", flag.ContinueOnError), args, "Prints the version."); err != nil {
		return err
	}
	text := "development"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		text = info.Main.Version
	}
	_, err := fmt.Fprintln(env.stdout, "forecourt", text)
	return err
}

// sandboxAlone serves the gateway simulator and its bank page on one address.
func sandboxAlone(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:3016", "listen `address`; port 0 takes a free one")
	err := env.parse(flags, args, "Runs the gateway simulator alone. GATEWAY_KEY is its key, FORECOURT_DATA the folder of its ledger,\nOUTBOUND_ALLOW the host:port pairs it may notify besides https on public addresses.")
	if err != nil {
		return err
	}
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	data := or(c.Data, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("FORECOURT_DATA: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	s, err := openSandbox(data, sandbox.Options{
		Key: c.GatewayKey.Reveal(), AllowLive: true, PublicURL: func() string { return address },
		Outbound: outbound.New(c.OutboundAllow, notifyTimeout), Frames: "*",
		Logger: slog.New(slog.NewJSONHandler(env.stderr, nil)),
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
		_ = s.Close() // breaks off the answers that wait on purpose
		_ = web.Close()
	}()
	fmt.Fprintln(env.stdout, "listening on", address)
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
