package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mutant is the program with a known mistake, and the promise that it breaks. A mutant that keeps the promise shows that the load
// would not notice the mistake.
type mutant struct {
	name    string
	breaks  string // the promise's name
	calm    bool   // breaks the promise without a fault
	patches []patch
}

const (
	client  = "internal/gateway/client.go"
	read    = "internal/gateway/read.go"
	settle  = "internal/gateway/sandbox/settle.go"
	paying  = "internal/payment/pay.go"
	sweep   = "internal/payment/sweep.go"
	wallet  = "internal/gateway/wallet.go"
	asks    = "internal/payment/refund_decide.go"
	reads   = "internal/gateway/refund.go"
	queries = "db/attempt.sql.go"
	counts  = "db/limit.sql.go"
	waits   = "db/migrations/00094_waits.sql"
	schema  = "db/migrations/00002_payment.sql"
	ledger  = "internal/gateway/ledger.go"
	restore = "internal/payment/restore.go"
	choice  = "internal/payment/gateways.go"
	quarrel = "internal/settlement/dispute.go"
	cookie  = "handlers/web/ownorders.go"
	states  = "db/migrations/00042_refund_states.sql"
)

func allMutants() []mutant {
	return []mutant{
		{
			name: "a timeout taken for a decline", breaks: "lost",
			patches: []patch{{client, "Unknown", "Declined"}},
		},
		{
			name: "a lost answer taken for a decline", breaks: "lost",
			patches: []patch{{read, "Unknown", "Declined"}},
		},
		{
			name: "a 202 taken for not charged", breaks: "lost",
			patches: []patch{{read, "Pending,", "NotCharged,"}},
		},
		{
			name: "no tombstone at the gateway", breaks: "lost",
			patches: []patch{{settle, "now.UTC()}", "now.UTC()}\n\t\t\treturn nil"}},
		},
		{
			name: "an error of the claim's commit ignored", breaks: "lost",
			patches: []patch{
				{paying, "uuid.New()", "uuid.New()\n\tbefore, beforeErr := p.queries.TransactionGet(ctx, claim.TransactionID, claim.ClientCode)"},
				{
					paying, "case err != nil:",
					"case err != nil && beforeErr == nil:\n\t\tclaimed.AmountMinor, claimed.Currency = before.Transaction.AmountMinor, before.Transaction.Currency\n" +
						"\t\tclaimed.TestMode = before.Transaction.TestMode\n\tcase err != nil:",
				},
			},
		},
		{
			name: "a wallet answer read by the card rule", breaks: "stuck",
			patches: []patch{
				{wallet, "true", "false"},
				{sweep, "a.Method != state.Card", "false"},
			},
		},
		{
			name: "neither guard nor unique index", breaks: "double",
			patches: []patch{
				{queries, "= 'new'", "IN ('new', 'processing')"},
				{schema, "CREATE UNIQUE INDEX attempt_one_open", "CREATE INDEX attempt_one_open"},
			},
		},
		{
			name: "the HTTP library repeats a payment", breaks: "double",
			patches: []patch{
				{client, "io.NopCloser(bytes.NewReader(encoded))", "bytes.NewReader(encoded)"},
				{client, "c.authorize(req.Header)", "c.authorize(req.Header)\n\treq.Header.Set(\"Idempotency-Key\", \"one\")"},
			},
		},
		{
			name: "a refund that is resumed takes a new reference", breaks: "lost refunds",
			patches: []patch{{
				asks, "r.ID.String()", "map[bool]string{false: r.ID.String(), true: \"00000000\" + r.ID.String()[8:]}[r.Checks > 0]",
			}},
		},
		{
			name: "a lost answer to a refund taken for a decline", breaks: "lost refunds",
			patches: []patch{{reads, " {", " || status >= 500 {"}},
		},
		{
			name: "rubbish read as a decline", breaks: "lost", calm: true,
			patches: []patch{{read, "Unknown, errNotInTable", "Declined, nil"}},
		},
		{
			name: "an import that does not ask for what is open", breaks: "restore",
			patches: []patch{{restore, "p.settleUndecided(ctx, at, &done)", "error(nil)"}},
		},
		{
			name: "a ledger without entries taken for an empty one", breaks: "restore",
			patches: []patch{{ledger, " || !page.Entries.there", ""}},
		},
		{
			name: "limits counted after the gateway was called", breaks: "limits", calm: true,
			patches: []patch{
				{counts, "1, ARRAY[$2::smallint]", "0, '{}'::smallint[]"},
				{counts, "l.open + 1 ELSE 1", "l.open ELSE 0"},
				{
					waits, "cards = CASE WHEN r.open = (r.state = 'declined') THEN l.cards WHEN r.open THEN limit_without(l.cards, r.card) ELSE l.cards || r.card END",
					"cards = CASE r.state WHEN 'declined' THEN l.cards || r.card ELSE l.cards END",
				},
			},
		},
		{
			name: "the paid key of another browser leads to its payment", breaks: "baskets", calm: true,
			patches: []patch{{cookie, "slices.Contains", "trx != \"\" || slices.Contains"}},
		},
		{
			name: "a gateway's refund id has to be its only one", breaks: "refunds open", calm: true,
			patches: []patch{{states, "both were made.\nDROP INDEX refund_gateway_id;", "both were made.\n"}},
		},
		{
			name: "an attempt asked about at another gateway than its own", breaks: "lost",
			patches: []patch{{choice, "id == nil", "id == nil || p.cfg.Previous != nil"}},
		},
		{
			name: "a lost dispute not heard of", breaks: "disputes", calm: true,
			patches: []patch{{
				quarrel, "if err := s.record(ctx, d)", "if d.State == state.DisputeLost {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tif err := s.record(ctx, d)",
			}},
		},
	}
}

// mutants runs every mutant. Each has to break the promise that its mistake is about.
func mutants(ctx context.Context, o options) error {
	// What a load strikes is chance: an HTTP library, for one, repeats a payment only if a connection that was used before breaks after the
	// gateway charged and before it answered.
	const runs = 3

	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	chosen := slices.DeleteFunc(allMutants(), func(m mutant) bool { return !strings.Contains(m.name, o.only) })
	// All are built first, so that a mutant that no longer compiles does not waste the time of those before it.
	for i, m := range chosen {
		if err := m.build(ctx, o.root, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	var survived []string
	for i, m := range chosen {
		caught := false
		for run := 0; run < runs && !caught; run++ {
			var err error
			if caught, err = m.try(ctx, o, filepath.Join(dir, fmt.Sprint(i)), run); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		if !caught {
			survived = append(survived, m.name)
		}
	}
	if len(survived) > 0 {
		fmt.Fprintf(o.out, "not caught: %s\n", strings.Join(survived, "; "))
		return errBroken
	}
	return ctx.Err()
}

// mark is on the lines that the mutant changes: see patch.apply.
func (m mutant) mark() string { return " // mutant: " + m.name }

// build compiles the mutant into dir.
func (m mutant) build(ctx context.Context, root, dir string) error {
	file, err := overlay(root, filepath.Join(dir, "overlay"), m.mark(), m.patches, nil)
	if err != nil {
		return err
	}
	return build(ctx, root, filepath.Join(dir, "forecourt"), file)
}

// try reports whether a short load catches the mistake of the mutant that was built into dir. Each run has a folder of its own there.
func (m mutant) try(ctx context.Context, o options, dir string, run int) (bool, error) {
	binary, dir := filepath.Join(dir, "forecourt"), filepath.Join(dir, fmt.Sprint(run))
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the cluster inside is closed
		return false, err
	}
	fmt.Fprintf(o.out, "--- mutant: %s, to be seen by %q\n", m.name, m.breaks)
	if m.breaks == restored {
		broken := report(o.out, []promise{drill(ctx, filepath.Join(dir, "drill"), binary, patience)})
		fmt.Fprintf(o.out, "--- %s: caught %t\n", m.name, len(broken) > 0)
		return len(broken) > 0, nil
	}
	// Every kind of cut comes twice.
	o.payments, o.atOnce, o.kills, o.databaseKills, o.cuts, o.refunds = 900, 64, 3, 2, 20, 90
	if m.calm {
		o.payments, o.atOnce, o.kills, o.databaseKills, o.cuts, o.refunds = 200, 16, 0, 0, 0, 60
	}
	t := &trial{options: o, dir: dir, binary: binary, wait: 5 * time.Second, patience: 10 * time.Second}
	broken, err := t.do(ctx)
	if err != nil {
		return false, err
	}
	caught := slices.Contains(broken, m.breaks)
	fmt.Fprintf(o.out, "--- %s: caught %t\n", m.name, caught)
	return caught, nil
}
