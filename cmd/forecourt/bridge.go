package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"forecourt/bridge"
)

// runBridge is the terminal service on a merchant's own computer.
func runBridge(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("bridge", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:3015", "listen `address` on this computer; port 0 takes a free one")
	unplugged := flags.Bool("unplugged", false, "as if no terminal were connected")
	var origins bridge.Origins
	flags.Func("origin", "`origin` whose pages may use the terminal, such as https://shop.example; may be given several times (default: every page of this computer)",
		func(s string) error {
			origin, err := bridge.ParseOrigin(s)
			origins = append(origins, origin)
			return err
		})
	const about = "Runs the terminal service with a simulated terminal: it approves, declines amounts that end in .05 and times out for .08."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	if !loopback(*addr) {
		return env.wrong("bridge", fmt.Sprintf("--addr %q is not an address of this computer alone, such as 127.0.0.1:3015", *addr))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(env.stderr, nil))
	web := &http.Server{
		Handler:           bridge.NewServer(bridge.NewTerminal(*unplugged, time.Now), origins),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		stopped <- web.Shutdown(stopping)
	}()
	fmt.Fprintln(env.stdout, "listening on http://"+listener.Addr().String())
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// loopback tells whether an address is one under which only this computer reaches the service, by the names that it takes.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Is4() && ip.IsLoopback()
}
