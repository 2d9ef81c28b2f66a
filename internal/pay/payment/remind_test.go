package payment_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
)

// watched returns a watch over a database, and its log.
func watched(t *testing.T) (*payment.Watch, *pgxpool.Pool, *strings.Builder) {
	t.Helper()
	pool, log := dbtest.Pool(t), &strings.Builder{}
	return payment.NewWatch(payment.New(pool, gateway.New(gateway.Config{}), payment.Config{}, slog.New(slog.NewTextHandler(log, nil)))), pool, log
}

func insert(t *testing.T, pool *pgxpool.Pool, id, state, age string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode)
		VALUES ($1, 'panezski', 'processing', 100, 'AUD', 'AU', true)`, id)
	if err == nil && state != "" {
		_, err = pool.Exec(t.Context(), `INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, created_at)
			VALUES (gen_random_uuid(), $1, 'panezski', 100, 'AUD', true, 'card', 'k', $2, now() + interval '1 hour', now() - $3::text::interval)`, id, state, age)
	}
	check.Must(t, err)
}

func TestTheWatchReportsImpossiblePayments(t *testing.T) {
	t.Parallel()
	w, pool, log := watched(t)
	insert(t, pool, "open-payment-of-22-letters", "unknown", "10 minutes")
	insert(t, pool, "young-manual-of-22-letters", "manual", "4 minutes")
	if err := w.Look(t.Context()); err != nil || log.Len() > 0 {
		t.Fatalf("with nothing wrong: %v, %s", err, log)
	}
	insert(t, pool, "old-manual-of-22-letters", "manual", "6 minutes")
	insert(t, pool, "an-orphan-of-22-letters", "", "")
	check.Must(t, w.Look(t.Context()))
	if said := log.String(); strings.Count(said, "level=ERROR") != 2 || !strings.Contains(said, "transaction=old-manual-of-22-letters") ||
		!strings.Contains(said, "without an open attempt") || !strings.Contains(said, "count=1") {
		t.Errorf("the log says %s", said)
	}
}

func TestAPersonIsRemindedOnceAnHour(t *testing.T) {
	t.Parallel()
	w, pool, log := watched(t)
	insert(t, pool, "old-manual-of-22-letters", "manual", "6 minutes")
	start := time.Now()
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {time.Minute, 1}, {59 * time.Minute, 1}, {60 * time.Minute, 2}, {61 * time.Minute, 2}, {2 * time.Hour, 3}} {
		check.Must(t, w.Remind(t.Context(), start.Add(tt.after)))
		check.Equal(t, strings.Count(log.String(), "waits for a person"), tt.want, "after %s there were … reminders", tt.after)
	}
	dbtest.Exec(t, pool, "UPDATE attempt SET state = 'not_charged', settled_at = now()")
	if err := w.Remind(t.Context(), start); err != nil || w.Logged() > 0 {
		t.Errorf("a decided payment is still remembered: %v, %v", w.Logged(), err)
	}
}

func TestLateRefundsAreReportedOnceAnHour(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		state, age, gateway, says string
	}{
		"open for four minutes": {"open", "4 minutes", "", ""},
		"open for six minutes":  {"open", "6 minutes", "", "a refund waits for a person"},
		"pending for an hour":   {"pending", "1 hour", "", ""},
		"pending for two days":  {"pending", "2 days", "", "a refund waits for a person"},
		"waiting for a person":  {"manual", "1 second", "", "a refund waits for a person"},
		"at a missing gateway":  {"open", "1 second", "gone", "a refund was sent to a gateway that is not set up"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pool, log := watched(t)
			insert(t, pool, "refunded-one-of-22-letters", "", "")
			dbtest.Exec(t, pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, state, lease_until, created_at, gateway)
				VALUES (gen_random_uuid(), 'refunded-one-of-22-letters', 'panezski', 100, 'AUD', true, 'test', $1, now() + interval '1 hour', now() - $2::text::interval, nullif($3, ''))`, tt.state, tt.age, tt.gateway)
			now := time.Now()
			for _, look := range []struct {
				after time.Duration
				times int
			}{{0, 1}, {59 * time.Minute, 1}, {61 * time.Minute, 2}} {
				check.Must(t, w.Remind(t.Context(), now.Add(look.after)))
				want := look.times
				if tt.says == "" {
					want = 0
				}
				if got := strings.Count(log.String(), "level=ERROR"); got != want || want > 0 && !strings.Contains(log.String(), tt.says) {
					t.Errorf("after %v: %d errors, want %d with %q: %s", look.after, got, want, tt.says, log)
				}
			}
		})
	}
}
