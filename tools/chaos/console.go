package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/money"
	"forecourt/tools/drive"
)

// lateBy is how long after its time the gateway lists what late is about.
const lateBy = 3 * 24 * time.Hour

// surprises is the number of kinds of what a gateway does unasked.
const surprises = 6

// surprise makes the gateway do with a charge what nobody asked the program for: its staff refund in its console, the payer's bank takes
// another amount than was charged, or returns what it took. n says which. Some of it is listed days late.
func (w *world) surprise(ctx context.Context, trx string, n int) error {
	c, err := w.chargeOf(ctx, trx)
	if err != nil {
		return err
	}
	late := time.Now().Add(-lateBy)
	back := func(minor int64, at time.Time) map[string]any {
		return map[string]any{"transactionid": c.ID, "amount": money.Wire(minor), "reference": "console-" + strings.ToLower(trx), "at": at}
	}
	dispute := func(state string, minor int64, at time.Time) map[string]any {
		return map[string]any{"reference": c.Reference, "state": state, "amount": money.Wire(minor), "at": at}
	}
	now := time.Now()
	for _, body := range [surprises][]map[string]any{
		{back(100, now)},
		{back(50, late)},
		{back(c.Minor, now)},
		{dispute("opened", c.Minor+500, now)}, // decideDisputes ends it
		{dispute("opened", c.Minor, late), dispute("lost", 200, now)},
		{
			dispute("opened", c.Minor, now), dispute("lost", c.Minor, now.Add(time.Millisecond)),
			dispute("won", c.Minor, now.Add(2*time.Millisecond)),
		},
	}[n%surprises] {
		path := "/sandbox/refund"
		if body["state"] != nil {
			path = "/sandbox/dispute"
		}
		switch status, err := w.gateway.call(ctx, http.MethodPost, path, body, nil); {
		case err == nil && (status == http.StatusNotFound || status == http.StatusUnprocessableEntity):
			return nil // the payer disputed it anyway
		case err != nil || status != http.StatusOK:
			return fmt.Errorf("%s %v: HTTP %d, %w", path, body, status, err)
		}
	}
	return nil
}

// charge is what the gateway knows a payment by.
type charge struct {
	Reference, ID string
	Minor         int64
}

// chargeOf returns the charge of a paid transaction, once the database answers.
func (w *world) chargeOf(ctx context.Context, trx string) (c charge, err error) {
	for ; ; drive.Pause(ctx, reload) {
		var conn *pgx.Conn
		if conn, err = w.connect(ctx); err == nil {
			err = conn.QueryRow(ctx, `SELECT a.id::text, a.transactionid, coalesce(a.captured_minor, a.amount_minor)
				FROM transaction t JOIN attempt a ON a.id = t.approved_attempt WHERE t.id = $1`, trx).Scan(&c.Reference, &c.ID, &c.Minor)
			_ = conn.Close(ctx)
		}
		if err == nil || ctx.Err() != nil {
			return c, err
		}
	}
}

// chargedAfterAll pays with a card that is charged late. Before that, staff decide that nothing was charged, without the gateway's word. It
// returns without that if the gateway was faster.
func (w *world) chargedAfterAll(ctx context.Context, c *customer, by *office) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	c.makeOrder(ctx)
	w.lateAt.Store(time.Now().Unix())
	for key := rand.Text(); ctx.Err() == nil; drive.Pause(ctx, 100*time.Millisecond) {
		c.submit(ctx, key, chargedLate, byForm)
		// A person takes longer than the program may: five minutes.
		id, err := query[string](ctx, w, `UPDATE attempt SET created_at = created_at - interval '10 minutes'
			WHERE transaction_id = $1 AND state IN ('submitting', 'unknown') RETURNING id::text`, c.trx)
		if err == nil {
			by.staffDecide(ctx, "/staff/payments/"+id, "not_charged")
			return
		}
		open, err := query[bool](ctx, w, "SELECT status IN ('new', 'processing') FROM transaction WHERE id = $1", c.trx)
		if err == nil && !open {
			return
		}
	}
}

// count makes the owner of every business close its day in both modes.
func (o *office) count(ctx context.Context, shops ...string) {
	b := o.browser().WithCookies()
	for _, code := range shops {
		for _, mode := range []string{"live", "test"} {
			for ctx.Err() == nil {
				a, err := b.Post(ctx, "/desk/"+code+"/closings", map[string][]string{"mode": {mode}, "do": {"close"}})
				if err == nil && a.Status == http.StatusSeeOther && strings.Contains(a.Location, "?done=") {
					break
				}
				signIn(ctx, b, ownerEmail)
			}
		}
	}
}

// cases ends all that waits for a person at two queues of staff: each difference in the first of the ways that its page offers, which
// changes most. It fails if something is left that cannot be ended.
func (o *office) cases(ctx context.Context) error {
	var left []string
	for range 100 {
		left = nil
		for _, queue := range []string{"/staff/unmatched", "/staff/payouts"} {
			a, err := o.staff.Get(ctx, queue)
			if err != nil || a.Status != http.StatusOK || strings.Contains(a.Body, `action="/signin"`) {
				signIn(ctx, o.staff, staffEmail)
				left = append(left, queue)
				continue
			}
			for _, found := range caseOf.FindAllStringSubmatch(a.Body, -1) {
				left = append(left, found[1])
				if err := o.end(ctx, found[1]); err != nil {
					return err
				}
			}
		}
		if len(left) == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("no person can end %q", left)
}

// end ends one case.
func (o *office) end(ctx context.Context, path string) error {
	a, err := o.staff.Get(ctx, path)
	end := first(wayOf, a.Body)
	if err != nil || end == "" {
		return err // somebody else, or something, has ended it
	}
	form := map[string][]string{
		"decision": {end}, "reason": {"as the ledger says"}, "seen": {first(seenOf, a.Body)},
		"says": {html.UnescapeString(first(saysOf, a.Body))},
	}
	a, err = o.staff.Post(ctx, path, form)
	if err == nil && a.Status == http.StatusConflict && end != "accept" { // the books do not take it
		form["decision"] = []string{"accept"}
		_, err = o.staff.Post(ctx, path, form)
	}
	return err
}

// leave undoes what chargedAfterAll did to the times of payments.
func leave(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "UPDATE attempt SET created_at = settled_at WHERE settled_at > created_at + interval '9 minutes'")
	return err
}
