package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// grace is how long a stop waits for answers that are under way.
const grace = 5 * time.Second

// Command is the command line of the terminal service on a business's own computer.
type Command struct {
	Addr      string   `default:"127.0.0.1:3015" placeholder:"ADDRESS" help:"Address, default ${default}; port 0 takes a free one."`
	Unplugged bool     `help:"As if no terminal were connected."`
	Origin    []string `sep:"none" placeholder:"ORIGIN" help:"${bridge_origin}"`
}

// OriginHelp explains the flag --origin.
const OriginHelp = "Origin whose pages may use the terminal, such as https://shop.example; may be given several times. Default: every " +
	"page served from this computer."

// Help says what the terminal does.
func (Command) Help() string {
	return "The terminal is simulated: it approves, declines amounts that end in .05 and times out for .08."
}

// Validate checks the flags.
func (c Command) Validate() error {
	for _, text := range c.Origin {
		if _, err := ParseOrigin(text); err != nil {
			return fmt.Errorf("--origin: %w", err)
		}
	}
	if !loopback(c.Addr) {
		return fmt.Errorf("--addr %q is not an address of this computer alone, such as 127.0.0.1:3015", c.Addr)
	}
	return nil
}

// Serve runs the service until the context ends. It prints its address once it can be reached.
func (c Command) Serve(ctx context.Context, stdout, stderr io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	web := &http.Server{
		Handler:           NewServer(NewTerminal(c.Unplugged, time.Now), c.Origin),
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
	fmt.Fprintln(stdout, "listening on http://"+listener.Addr().String())
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
