package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"forecourt/bridge"
)

// bridgeCommand is the terminal service on a merchant's own computer.
type bridgeCommand struct {
	Addr      string   `default:"127.0.0.1:3015" placeholder:"ADDRESS" help:"Address, default ${default}; port 0 takes a free one."`
	Unplugged bool     `help:"As if no terminal were connected."`
	Origin    []string `sep:"none" placeholder:"ORIGIN" help:"${bridge_origin}"`
}

func (bridgeCommand) Help() string {
	return "The terminal is simulated: it approves, declines amounts that end in .05 and times out for .08."
}

func (o bridgeCommand) Run(ctx context.Context, env environment) error {
	var origins bridge.Origins
	for _, text := range o.Origin {
		origin, err := bridge.ParseOrigin(text)
		if err != nil {
			return wrong("--origin: %s", err)
		}
		origins = append(origins, origin)
	}
	if !loopback(o.Addr) {
		return wrong("--addr %q is not an address of this computer alone, such as 127.0.0.1:3015", o.Addr)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(env.stderr, nil))
	web := &http.Server{
		Handler:           bridge.NewServer(bridge.NewTerminal(o.Unplugged, time.Now), origins),
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

// loopback reports whether the host of an address is localhost or an IPv4 loopback address, so that only this computer reaches the service.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Is4() && ip.IsLoopback()
}
