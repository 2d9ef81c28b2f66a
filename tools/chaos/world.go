package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// gatewayTimeout is short, so that timeouts do not take long.
const gatewayTimeout = 1500 * time.Millisecond

// world is everything that runs: PostgreSQL, two gateways, and the program, which reaches them over wires that break.
type world struct {
	dir      string
	binary   string
	database *database
	gateways []*gateway // the first one that payments are sent to, and the second
	network  *network
	mail     *mailServer // if nil, letters stay in the outbox
	listen   string      // the program's address, the same after each start
	stage    atomic.Int32
}

// The stages of a change of gateways.
const (
	stageFirst    int32 = iota // the first alone
	stageSecond                // the second alone; what was sent to the first waits
	stageTogether              // the second, and the first for what was sent to it
)

// newWorld starts everything but the program, and a mail server if letters is set. share is the share of rubbish among the gateways' answers.
func newWorld(ctx context.Context, dir, binary string, letters bool, share float64, seed uint64) (*world, error) {
	w := &world{dir: dir, binary: binary}
	if letters {
		var err error
		if w.mail, err = newMailServer(ctx); err != nil {
			return nil, err
		}
	}
	if err := w.open(ctx, share, seed); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) open(ctx context.Context, share float64, seed uint64) error {
	var err error
	if w.database, err = startDatabase(ctx, filepath.Join(w.dir, "database")); err != nil {
		return err
	}
	for i, id := range []string{"first", "second"} {
		g, err := startGateway(ctx, w.dir, w.binary, id, share, seed+uint64(i))
		if err != nil {
			return err
		}
		w.gateways = append(w.gateways, g)
	}
	address, err := url.Parse(w.database.TCPDSN(embedded.Database))
	if err != nil {
		return err
	}
	if w.network, err = connect(address.Host, w.gateways[0].front.address, w.gateways[1].front.address); err != nil {
		return err
	}
	w.listen, err = freeAddress(ctx)
	return err
}

// close ends everything. What the programs left undone does not matter.
func (w *world) close() {
	if w.mail != nil {
		_ = w.mail.server.Close()
	}
	if w.network != nil {
		w.network.close()
	}
	for _, g := range w.gateways {
		g.close()
	}
	if w.database != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = w.database.Stop(ctx)
	}
}

// env returns the environment of the program and its commands. They reach their database and their gateways over the wires only.
func (w *world) env() ([]string, error) {
	address, err := url.Parse(w.database.TCPDSN(embedded.Database))
	if err != nil {
		return nil, err
	}
	address.Host = w.network.database[0].Listen
	stage := w.stage.Load()
	now, before := 0, 1
	if stage != stageFirst {
		now, before = 1, 0
	}
	at := func(i int) string { return "http://" + w.network.gateways[i].Listen }
	env := []string{
		"FORECOURT_ADDR=" + w.listen, "FORECOURT_DATA=" + filepath.Join(w.dir, "program"), "FORECOURT_DEMO=on",
		"FORECOURT_SECRET=" + strings.Repeat("chaos", 8), "DATABASE_URL=" + address.String(), "TRUSTED_PROXIES=127.0.0.1",
		"GATEWAY_URL=" + at(now), "GATEWAY_KEY=" + w.gateways[now].key, "GATEWAY_ID=" + w.gateways[now].id,
		"GATEWAY_TIMEOUT=" + gatewayTimeout.String(), "REDIRECT_HOSTS=" + w.gateways[0].host() + " " + w.gateways[1].host(),
	}
	if stage == stageTogether {
		env = append(env, "GATEWAY_PREVIOUS_URL="+at(before), "GATEWAY_PREVIOUS_KEY="+w.gateways[before].key, "GATEWAY_PREVIOUS_ID="+w.gateways[before].id)
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

// command runs one of the program's commands and returns its output.
func (w *world) command(ctx context.Context, args ...string) (string, error) {
	env, err := w.env()
	if err != nil {
		return "", err
	}
	return command(ctx, w.binary, env, args...)
}

func command(ctx context.Context, binary string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = env
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// connect connects to the database directly.
func (w *world) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, w.database.DSN(embedded.Database))
}

// query reads one number from the database.
func (w *world) query(ctx context.Context, text string, args ...any) (n int, err error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := conn.QueryRow(ctx, text, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("%s: %w", text, err)
	}
	return n, nil
}

// text reads one text from the database.
func (w *world) text(ctx context.Context, query string, args ...any) (text string, err error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, query, args...).Scan(&text)
	return text, err
}

// rubbish counts the gateways' answers that were rubbish.
func (w *world) rubbish() (n int) {
	for _, g := range w.gateways {
		n += g.front.count()
	}
	return n
}

// loopback is an address that nothing else on this machine uses, with a port that is free. What listens there is stopped and started again at the
// same port; at 127.0.0.1 another process, or the other end of a connection, could get the port meanwhile.
const loopback = "127.77.0.1:0"

// freeAddress returns an unused loopback address.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", loopback)
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
