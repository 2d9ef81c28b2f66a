package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/tools/drive"
)

// promise is one line of the result: a promise, and how often it was broken.
type promise struct {
	name   string
	broken int
	detail string
}

// verdict is the result of a comparison of the books.
type verdict struct {
	slowest  string
	promises []promise
}

// books holds the gateway's ledger and what people were told against the database. It consists of a view of the ledger and, for each
// promise, a line "-- name: what was counted" and the query that counts how often it was broken.
//
//go:embed verdict.sql
var books string

// judge compares the books once nothing is open any more, or after limit, and the acquirer has decided every dispute and paid out.
// told is what payers were told of a transaction, and heard is what those who gave payments back were told.
func (w *world) judge(ctx context.Context, told map[string]string, heard map[string]refunded, limit time.Duration) (v verdict, err error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return v, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := settled(ctx, conn, limit); err != nil {
		return v, err
	}
	if err := w.decideDisputes(ctx, conn); err != nil {
		return v, err
	}
	if err := w.tidy(ctx, conn, limit); err != nil {
		return v, err
	}
	return w.compare(ctx, conn, told, heard)
}

// tidy has staff end what differs after surprises, and owners close their day.
func (w *world) tidy(ctx context.Context, conn *pgx.Conn, limit time.Duration) error {
	if w.payouts == "" {
		return nil
	}
	by := newOffice(w.site, w.connect)
	if err := errors.Join(by.cases(ctx), settled(ctx, conn, limit), w.payOut(ctx), by.cases(ctx)); err != nil {
		return err
	}
	by.count(ctx, live, foreign)
	return errors.Join(leave(ctx, conn), w.gateway.pages(ctx, 0))
}

// settled returns once nothing is open any more, or after limit.
func settled(ctx context.Context, conn *pgx.Conn, limit time.Duration) error {
	open := 1
	for end := time.Now().Add(limit); open > 0 && time.Now().Before(end) && ctx.Err() == nil; drive.Pause(ctx, 200*time.Millisecond) {
		err := conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown'))
			+ (SELECT count(*) FROM refund WHERE state IN ('open', 'pending', 'manual'))`).Scan(&open)
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// decideDisputes makes the acquirer pay out, decide every open dispute for one side or the other, and pay out again, and the program
// read it all.
func (s *site) decideDisputes(ctx context.Context, conn *pgx.Conn) error {
	if err := s.payOut(ctx); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, "SELECT attempt_id::text FROM dispute WHERE state = 'opened' ORDER BY attempt_id")
	if err != nil {
		return err
	}
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for i, reference := range open {
		body := map[string]string{"reference": reference, "state": []string{"lost", "won"}[i%2]}
		if status, err := s.gateway.call(ctx, http.MethodPost, "/sandbox/dispute", body, nil); err != nil || status != http.StatusOK {
			return fmt.Errorf("the dispute about %s cannot be decided: HTTP %d, %w", reference, status, err)
		}
	}
	return s.payOut(ctx)
}

// payOut makes the acquirer pay out. If there is an id, all payouts get it, and are listed late.
func (g *gateway) payOut(ctx context.Context, id string) error {
	path := "/sandbox/payout"
	if id != "" {
		path += "?" + url.Values{"id": {id}, "at": {time.Now().Add(-lateBy).Format(time.RFC3339Nano)}}.Encode()
	}
	if status, err := g.call(ctx, http.MethodPost, path, nil, nil); err != nil || status != http.StatusOK {
		return fmt.Errorf("payout: HTTP %d, %w", status, err)
	}
	return nil
}

// payOut makes the acquirer pay out, and the program read the payouts, until it has read everything.
func (s *site) payOut(ctx context.Context) error {
	if err := s.gateway.payOut(ctx, s.payouts); err != nil {
		return err
	}
	return s.readLedger(ctx)
}

// readLedger makes the program read the ledger, until it has read everything.
func (s *site) readLedger(ctx context.Context) error {
	from := time.Now().Add(-2 * lateBy).Format(time.RFC3339)
	for ctx.Err() == nil {
		said, err := s.command(ctx, "reconcile", "--from", from)
		// It fails for differences, too, which the promises are about.
		if err == nil || strings.Contains(said, "the books differ") || strings.Contains(said, "the payouts differ") {
			return nil
		}
		drive.Pause(ctx, reload) // an answer was rubbish
	}
	return ctx.Err()
}

// compare counts how often each promise was broken.
func (s *site) compare(ctx context.Context, conn *pgx.Conn, told map[string]string, heard map[string]refunded) (v verdict, err error) {
	entries, err := s.gateway.ledger(ctx)
	if err != nil {
		return v, err
	}
	tables, promises, _ := strings.Cut(books, "\n-- promises\n")
	_, err = conn.Exec(ctx, "CREATE TEMP TABLE books (ledger jsonb, told jsonb, heard jsonb, gateway text)")
	if err == nil {
		_, err = conn.Exec(ctx, "INSERT INTO books VALUES ($1, $2, $3, $4)", entries, told, heard, gatewayID)
	}
	if err == nil {
		_, err = conn.Exec(ctx, tables)
	}
	if err != nil {
		return v, err
	}
	for _, part := range strings.Split(promises, "\n-- ")[1:] {
		head, query, _ := strings.Cut(part, "\n")
		name, detail, _ := strings.Cut(head, ": ")
		p := promise{name: name, detail: detail}
		if name == "slowest" {
			err = conn.QueryRow(ctx, query).Scan(&v.slowest)
		} else if err = conn.QueryRow(ctx, query).Scan(&p.broken); err == nil {
			v.promises = append(v.promises, p)
		}
		if err != nil {
			return v, fmt.Errorf("%s: %w", name, err)
		}
	}
	return v, nil
}

// report prints a line per promise, those that are broken last, and returns the names of these.
func (v verdict) report(out io.Writer) (broken []string) {
	var last strings.Builder
	for _, p := range v.promises {
		if p.broken == 0 {
			fmt.Fprintf(out, "kept   %-14s 0 %s\n", p.name, p.detail)
			continue
		}
		broken = append(broken, p.name)
		fmt.Fprintf(&last, "BROKEN %-14s %d %s\n", p.name, p.broken, p.detail)
	}
	fmt.Fprint(out, last.String())
	return broken
}

// err returns an error that lists the broken promises.
func (v verdict) err() error {
	var text strings.Builder
	if len(v.report(&text)) == 0 {
		return nil
	}
	return errors.New(text.String()[strings.Index(text.String(), "BROKEN"):])
}
