package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"forecourt/ops/embedded"
	"forecourt/tools/drive"
)

// market is the program with its database, whose settings are durable as usual, and a gateway that approves everything at once, so that
// the figures measure only these two.
type market struct {
	*drive.Process
	*drive.Browser
	dsn   string // of the program's database
	items []drive.Item
}

// onMarket runs work on a market.
func (b *bench) onMarket(ctx context.Context, work func(*market) error) (err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	gateway := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(approve)}
	go func() { _ = gateway.Serve(listener) }()
	defer gateway.Close()
	m := &market{}
	m.Process, err = b.serve(ctx, "market", "GATEWAY_URL=http://"+listener.Addr().String(), "GATEWAY_KEY=bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Stop()) }()
	if m.dsn, err = embedded.Attach(b.data("market"), embedded.Database); err != nil {
		return err
	}
	m.Browser = drive.NewBrowser(m.URL)
	if m.items, err = m.Menu(ctx, shop); err != nil {
		return err
	}
	m.items = m.items[:3]
	return work(m)
}

// order orders one of each item and returns the order's id.
func (m *market) order(ctx context.Context) (string, error) {
	a, id, err := m.Order(ctx, rand.Text(), shop, "4", 1, m.items...)
	if err != nil || id == "" {
		return "", fmt.Errorf("order: HTTP %d, %w", a.Status, err)
	}
	return id, nil
}

// buy orders, and pays with the card that every gateway approves.
func (m *market) buy(ctx context.Context) (string, error) {
	id, err := m.order(ctx)
	if err != nil {
		return "", err
	}
	if a, approved, err := m.Pay(ctx, rand.Text(), shop, id, approvedCard, "", false); !approved {
		return "", fmt.Errorf("payment: HTTP %d, not approved, %w", a.Status, err)
	}
	return id, nil
}

const approvedCard, declinedCard = "4111111111111111", "4000000000000002"

// approve answers like a gateway that approves every card and stores nothing.
func approve(w http.ResponseWriter, r *http.Request) {
	var payment struct{ Reference string }
	if err := json.NewDecoder(r.Body).Decode(&payment); err != nil || r.URL.Path != "/api/pay" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may be gone
		"status":        map[string]string{"responsetype": "1", "statuscode": "0", "errordesc": "Approved"},
		"transactionid": payment.Reference, "code": "00", "reference": payment.Reference,
	})
}

// sales compares orders and payments with pgbench, which writes the same rows in as many durable commits and asks no gateway.
func (b *bench) sales(ctx context.Context, m *market) error {
	compare := func(title, of, script string, target float64, do func(context.Context) (string, error)) error {
		floor := func() (float64, error) { return m.pgbench(ctx, script) }
		program := func() (float64, error) {
			return rate(ctx, func(ctx context.Context, more func() bool) (err error) {
				for more() && err == nil {
					_, err = do(ctx)
				}
				return err
			})
		}
		return b.compare(title, of, "pgbench with the same rows", target, floor, program)
	}
	return errors.Join(
		compare("Orders of three lines, 16 customers at once, durable", "orders", "order.sql", 0.6, m.order),
		compare("Order and payment, three durable commits, 16 customers at once", "payments", "payment.sql", 0.4, m.buy),
	)
}

// pgbench runs a script of this folder, 16 at once with prepared statements, and returns the rate per second. The program comes with
// Debian's package postgresql.
func (m *market) pgbench(ctx context.Context, script string) (float64, error) {
	args := []string{
		"--no-vacuum", "--protocol=prepared", "--jobs=2",
		fmt.Sprintf("--client=%d", customers), fmt.Sprintf("--time=%.0f", turnTime.Seconds()),
	}
	for i, item := range m.items {
		args = append(args, fmt.Sprintf("--define=item%d=%d", i+1, item.ID))
	}
	cmd := exec.CommandContext(ctx, "pgbench", append(args, "--file=tools/bench/"+script, m.dsn)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, &said)
	}
	return parseTPS(string(out))
}

// parseTPS reads what pgbench prints.
func parseTPS(out string) (tps float64, err error) {
	for line := range strings.Lines(out) {
		failed := 0
		_, _ = fmt.Sscanf(line, "number of failed transactions: %d", &failed)
		if failed > 0 {
			return 0, fmt.Errorf("pgbench: %d transactions failed", failed)
		}
		_, _ = fmt.Sscanf(line, "tps = %f", &tps)
	}
	if tps == 0 {
		return 0, errors.New("pgbench prints no tps")
	}
	return tps, nil
}
