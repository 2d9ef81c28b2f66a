package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// settle lets the acquirer decide the disputes and pay out, has the program read it, and judges whether the payouts hold what was
// captured, given back and lost, to the cent for each business, currency and mode.
func (w *world) settle(ctx context.Context) ([]promise, error) {
	conn, err := pgx.Connect(ctx, w.database.DSN(embedded.Database))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := w.acquirer(ctx, "/sandbox/payout", nil); err != nil { // the charges, before any dispute is decided
		return nil, err
	}
	said := w.reconcile(ctx)
	var open []struct{ ID string }
	if err := readRows(ctx, conn, &open, "SELECT attempt_id::text FROM dispute WHERE state = 'opened' ORDER BY attempt_id"); err != nil {
		return nil, err
	}
	for i, d := range open {
		if err := w.acquirer(ctx, "/sandbox/dispute", map[string]string{"reference": d.ID, "state": []string{"lost", "won"}[i%2]}); err != nil {
			return nil, err
		}
	}
	if err := w.acquirer(ctx, "/sandbox/payout", nil); err != nil {
		return nil, err
	}
	said += w.reconcile(ctx)
	var disputes, undecided, apart, books int
	err = conn.QueryRow(ctx, `WITH moved AS (
			SELECT client_code, currency, test_mode, amount_minor AS minor FROM attempt WHERE state = 'approved'
			UNION ALL SELECT client_code, currency, test_mode, -amount_minor FROM refund WHERE state = 'done'
			UNION ALL SELECT client_code, currency, test_mode, -amount_minor FROM dispute WHERE state = 'lost'
		), ours AS (SELECT client_code, currency, test_mode, sum(minor) AS minor FROM moved GROUP BY 1, 2, 3),
		theirs AS (SELECT client_code, currency, test_mode, sum(gross_minor) AS minor FROM payout GROUP BY 1, 2, 3)
		SELECT (SELECT count(*) FROM dispute), (SELECT count(*) FROM dispute WHERE state = 'opened'),
			count(*) FILTER (WHERE o.minor IS DISTINCT FROM t.minor), count(*)
		FROM ours o FULL JOIN theirs t USING (client_code, currency, test_mode)`).Scan(&disputes, &undecided, &apart, &books)
	if err != nil {
		return nil, err
	}
	return []promise{
		{"disputes", undecided + count(disputes != len(open)), fmt.Sprintf("disputes (%d) that were not heard of to their end", disputes)},
		{"payouts", apart + strings.Count(said, "payout  "), fmt.Sprintf("books (%d, by business, currency and mode) whose payouts are not what moved, or payouts that differ", books)},
	}, nil
}

// acquirer posts to the sandbox directly.
func (w *world) acquirer(ctx context.Context, path string, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.sandbox.url+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+gatewayKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers HTTP %d", path, res.StatusCode)
	}
	return nil
}

// reconcile runs the program's command and returns what it says; what it finds is judged by the promises.
func (w *world) reconcile(ctx context.Context) string {
	env, err := w.env()
	if err != nil {
		return err.Error()
	}
	cmd := exec.CommandContext(ctx, w.binary, "reconcile")
	cmd.Env = env
	said, _ := cmd.CombinedOutput() // the exit code tells of differences that other promises are about
	return string(said)
}
