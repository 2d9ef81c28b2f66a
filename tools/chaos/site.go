package main

import (
	"context"
	"net"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/ops/embedded"
	"forecourt/tools/drive"
)

// gatewayTimeout is short, so that timeouts do not take long.
const gatewayTimeout = 1500 * time.Millisecond

// site is an installation of the program and its gateway.
type site struct {
	dir, binary string
	data        string // the program's folder
	listen      string // the program's address, the same after each start
	gateway     *gateway
	settings    []string       // beside those that every site has
	process     *drive.Process // nil before the first start
	ended       int            // how often the program ended by itself
	payouts     string         // the id that the gateway gives each of its payouts, which it lists late; "" is one of its own, at once
}

// newSite starts a site's gateway, which charges chargedLate so late.
func newSite(ctx context.Context, dir, binary string, late time.Duration, f *front) (*site, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	s := &site{dir: dir, binary: binary, data: filepath.Join(dir, "program")}
	var err error
	if s.listen, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	if s.gateway, err = startGateway(ctx, dir, binary, late, f); err != nil {
		return nil, err
	}
	s.settings = []string{"GATEWAY_URL=http://" + f.address}
	return s, nil
}

func (s *site) env(extra ...string) []string {
	return drive.Environment(s.data, slices.Concat([]string{
		"FORECOURT_ADDR=" + s.listen, "GATEWAY_KEY=" + gatewayKey, "GATEWAY_ID=" + gatewayID, "GATEWAY_TIMEOUT=" + gatewayTimeout.String(),
		"REDIRECT_HOSTS=" + s.gateway.host(),
	}, s.settings, extra)...)
}

// browser returns a visitor's browser.
func (s *site) browser() *drive.Browser { return drive.NewBrowser("http://" + s.listen) }

// serve starts the program, again and again until it listens, since its database may be down. It runs until it is killed.
func (s *site) serve(ctx context.Context, extra ...string) error {
	for end := time.Now().Add(time.Minute); ; {
		p, err := drive.Start(ctx, filepath.Join(s.dir, "program.log"), s.env(extra...), s.binary, "serve")
		if err == nil {
			s.process = p
		}
		if err == nil || ctx.Err() != nil || time.Now().After(end) {
			return err
		}
		drive.Pause(ctx, 100*time.Millisecond)
	}
}

// kill kills the program like a power cut, and notes if it had ended before.
func (s *site) kill() {
	select {
	case <-s.process.Done:
		s.ended++
	default:
		s.process.Kill()
	}
}

// restart kills the program and starts it again.
func (s *site) restart(ctx context.Context) error {
	s.kill()
	return s.serve(ctx)
}

// close ends everything. What the program left undone does not matter.
func (s *site) close() {
	if s.process != nil {
		s.process.Kill()
	}
	s.gateway.close()
}

// command runs one of the program's commands and returns its output.
func (s *site) command(ctx context.Context, args ...string) (string, error) {
	return drive.Run(ctx, s.env(), s.binary, args...)
}

// connect connects to the built-in database directly.
func (s *site) connect(ctx context.Context) (*pgx.Conn, error) {
	dsn, err := embedded.Attach(s.data, embedded.Database)
	if err != nil {
		return nil, err
	}
	return pgx.Connect(ctx, dsn)
}

// loopback is an address that nothing else on this machine uses, with a port that is free. What listens there is stopped and started
// again at the same port; at 127.0.0.1 another process, or the other end of a connection, could get the port meanwhile.
const loopback = "127.77.0.1:0"

// freeAddress returns an unused loopback address.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", loopback)
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
