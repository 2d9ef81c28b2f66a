package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"forecourt/db/embedded"
)

const (
	gatewayKey = "chaos"
	// gatewayTimeout is short, so that a timeout is over soon.
	gatewayTimeout = 1500 * time.Millisecond
)

// world is everything that runs: PostgreSQL, the sandbox and, over wires that break, the program.
type world struct {
	dir      string
	binary   string
	database *database
	sandbox  *process
	network  *network
	mail     *mailServer // nil: letters stay in the outbox
	listen   string      // the program's address, the same after each start
}

// newWorld starts everything but the program, a mail server too if letters are to be sent.
func newWorld(ctx context.Context, dir, binary string, letters bool) (*world, error) {
	w := &world{dir: dir, binary: binary}
	if letters {
		var err error
		if w.mail, err = newMailServer(ctx); err != nil {
			return nil, err
		}
	}
	if err := w.open(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) open(ctx context.Context) error {
	var err error
	if w.database, err = startDatabase(ctx, filepath.Join(w.dir, "database")); err != nil {
		return err
	}
	env := []string{"GATEWAY_KEY=" + gatewayKey, "FORECOURT_DATA=" + filepath.Join(w.dir, "gateway")}
	w.sandbox, err = launch(ctx, filepath.Join(w.dir, "sandbox.log"), env, w.binary, "sandbox", "--addr", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	address, err := url.Parse(w.database.TCPDSN(embedded.Database))
	if err != nil {
		return err
	}
	if w.network, err = connect(address.Host, w.sandboxHost()); err != nil {
		return err
	}
	w.listen, err = freeAddress(ctx)
	return err
}

// close ends everything; what the programs left undone does not matter.
func (w *world) close() {
	if w.mail != nil {
		_ = w.mail.server.Close()
	}
	if w.network != nil {
		w.network.close()
	}
	if w.sandbox != nil {
		w.sandbox.kill()
	}
	if w.database != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = w.database.Stop(ctx)
	}
}

func (w *world) sandboxHost() string { return strings.TrimPrefix(w.sandbox.url, "http://") }

// env is what the program and its commands are told. They reach their database and their gateway over the wires only.
func (w *world) env() ([]string, error) {
	address, err := url.Parse(w.database.TCPDSN(embedded.Database))
	if err != nil {
		return nil, err
	}
	address.Host = w.network.database.address()
	env := []string{
		"FORECOURT_ADDR=" + w.listen, "FORECOURT_DATA=" + filepath.Join(w.dir, "program"), "FORECOURT_DEMO=on",
		"FORECOURT_SECRET=" + strings.Repeat("chaos", 8), "DATABASE_URL=" + address.String(),
		"GATEWAY_URL=http://" + w.network.gateway.address(), "GATEWAY_KEY=" + gatewayKey,
		"GATEWAY_TIMEOUT=" + gatewayTimeout.String(), "REDIRECT_HOSTS=" + w.sandboxHost(),
	}
	if w.mail != nil {
		env = append(env, "SMTP_URL=smtp://"+w.mail.address, "MAIL_FROM=Forecourt <no-reply@chaos.test>")
	}
	return env, nil
}

// serve starts the program.
func (w *world) serve(ctx context.Context, extra ...string) (*process, error) {
	env, err := w.env()
	if err != nil {
		return nil, err
	}
	return launch(ctx, filepath.Join(w.dir, "program.log"), append(env, extra...), w.binary, "serve")
}

// freeAddress is a loopback address that nobody uses.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
