package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sales compares orders and payments with pgbench, which writes the same rows in as many durable commits and asks no gateway.
func (b *bench) sales(ctx context.Context, m *market) error {
	clients, hangUp, err := dialAll(ctx, m.url)
	if err != nil {
		return err
	}
	defer hangUp()
	side := func(do func(*client) (string, error)) func() (float64, error) {
		return func() (float64, error) {
			return rate(ctx, turnTime, clients, func(c *client) error { _, err := do(c); return err })
		}
	}
	floor := func(script string) func() (float64, error) {
		return func() (float64, error) { return m.pgbench(ctx, script) }
	}
	orders, ordersErr := turns(floor("order.sql"), side(m.order))
	payments, err := turns(floor("payment.sql"), side(m.buy))
	if err := errors.Join(ordersErr, err); err != nil {
		return err
	}
	b.compare("Orders of three lines, 16 customers at once, durable", "orders", "pgbench with the same rows", 0.6, orders)
	b.compare("Order and payment, three durable commits, 16 customers at once", "payments", "pgbench with the same rows", 0.4, payments)
	return nil
}

// pgbench runs a script of this folder, 16 at once with prepared statements, and returns the rate per second.
func (m *market) pgbench(ctx context.Context, script string) (float64, error) {
	program, err := exec.LookPath("pgbench")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench") // the pattern is valid
		if len(found) == 0 {
			return 0, errors.New("pgbench is missing; it comes with Debian's package postgresql")
		}
		program = slices.Max(found)
	}
	args := []string{
		"--no-vacuum", "--protocol=prepared", "--jobs=2",
		fmt.Sprintf("--client=%d", connections), fmt.Sprintf("--time=%.0f", turnTime.Seconds()),
	}
	for i, item := range m.items {
		args = append(args, fmt.Sprintf("--define=item%d=%d", i+1, item))
	}
	cmd := exec.CommandContext(ctx, program, append(args, "--file=tools/bench/"+script, m.dsn)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, &said)
	}
	return parseTPS(string(out))
}

var (
	tpsLine    = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	failedLine = regexp.MustCompile(`(?m)^number of failed transactions: ([0-9]+)`)
)

func parseTPS(out string) (float64, error) {
	if failed := failedLine.FindStringSubmatch(out); failed != nil && failed[1] != "0" {
		return 0, fmt.Errorf("pgbench: %s transactions failed", failed[1])
	}
	tps := tpsLine.FindStringSubmatch(out)
	if tps == nil {
		return 0, errors.New("pgbench prints no tps")
	}
	return strconv.ParseFloat(tps[1], 64)
}
