package notice_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/shop"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// crew is a site with one member of panezski in each role, and with no events.
type crew struct {
	app    *apptest.App
	people map[string]uuid.UUID
}

func newCrew(t *testing.T, o apptest.Options) crew {
	t.Helper()
	c := crew{apptest.New(t, o), map[string]uuid.UUID{}}
	dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member")
	for _, role := range shop.Roles() {
		id := uuid.New()
		c.people[string(role)] = id
		dbtest.Exec(t, c.app.Pool, "INSERT INTO account (id, email, password_hash, verified_at) VALUES ($1, $2, 'x', now())", id, string(role)+"@example.com")
		dbtest.Exec(t, c.app.Pool, "INSERT INTO shop_member (shop_code, account_id, role) VALUES ('panezski', $1, $2)", id, role)
	}
	return c
}

// happens adds events in the mode of the business and waits for their numbers.
func (c crew) happens(t *testing.T, kind state.Event, times int) {
	t.Helper()
	dbtest.Exec(t, c.app.Pool, `INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode)
		SELECT code, 'x', $1, 'x', 500, 'AUD', NOT live FROM shop, generate_series(1, $2) WHERE code = 'panezski'`, kind, times)
	apptest.Eventually(t, "the events have numbers", func() bool {
		_, err := c.app.Events.Number(t.Context())
		check.Must(t, err)
		return dbtest.Value[int](t, c.app.Pool, "SELECT count(*) FROM shop_event WHERE number IS NULL") == 0
	})
}

// trades adds a payment at 11:30 pm in Sydney on the day with 25 hours.
func (c crew) trades(t *testing.T, currency string, minor int64) {
	t.Helper()
	id := "past-000000000000000000" + currency
	dbtest.Exec(t, c.app.Pool, `INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode, kind) SELECT $1, code, 'new', $2, $3, 'AU', NOT live, 'order' FROM shop WHERE code = 'panezski'`, id, minor, currency)
	dbtest.Exec(t, c.app.Pool, `WITH a AS (INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, transactionid, created_at, settled_at)
		SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', 'approved', now(), id, '2026-04-05T13:30:00Z', '2026-04-05T13:30:00Z' FROM transaction WHERE id = $1 RETURNING id)
		UPDATE transaction SET status = 'paid', approved_attempt = a.id, paid_at = now() FROM a WHERE transaction.id = $1`, id)
}

func (c crew) send(t *testing.T, now time.Time) {
	t.Helper()
	check.Must(t, c.app.Notices.Send(t.Context(), now))
}

// ordered lists the queued letters: "owner 1" is a letter to the owner about one event.
func (c crew) ordered(t *testing.T) string {
	t.Helper()
	return dbtest.Value[string](t, c.app.Pool, `SELECT coalesce(string_agg(split_part(a.email, '@', 1) || ' ' || (args -> 'data' ->> 'count'), ', ' ORDER BY j.id), '')
		FROM river_job j JOIN account a ON a.id = (args -> 'data' ->> 'account')::uuid WHERE j.kind = 'mail' AND args ->> 'letter' = 'notice'`)
}

func TestEachRoleIsToldOfItsKinds(t *testing.T) {
	t.Parallel()
	for kind, want := range map[state.Event]string{
		state.EventRefundFailed: "owner 1, manager 1", state.EventDisputeOpened: "owner 1, manager 1", state.EventDisputeWon: "owner 1, manager 1", state.EventDisputeLost: "owner 1, manager 1",
		state.EventPayoutPaid: "", state.EventRefundLarge: "", state.EventPaymentSucceeded: "", state.EventTeamChanged: "",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			c := newCrew(t, apptest.Options{})
			c.happens(t, kind, 1)
			c.send(t, time.Now().Add(time.Second))
			check.Equal(t, c.ordered(t), want, "queued letters")
		})
	}
}

// What happened to real payments reaches the team although the business is in test mode by then, in a letter of its own.
func TestEventsOfBothModesAreTold(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	c.happens(t, state.EventDisputeOpened, 2)
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	c.happens(t, state.EventDisputeOpened, 1)
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET live = false WHERE code = 'panezski'")
	c.send(t, time.Now().Add(time.Second))
	check.Equal(t, c.ordered(t), "owner 1, manager 1, owner 2, manager 2", "queued letters")
	live := dbtest.Value[int](t, c.app.Pool, "SELECT count(*) FROM river_job WHERE args -> 'data' ->> 'test' = 'false'")
	check.Equal(t, live, 2, "letters about real payments")
	c.send(t, time.Now().Add(24*time.Hour))
	check.Equal(t, c.ordered(t), "owner 1, manager 1, owner 2, manager 2", "letters after another round")
}

// The day on which a business took real payments is summed up although it is back in test mode.
func TestTheSummaryIsOfRealPaymentsIfThereAreAny(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	c.trades(t, "AUD", 700)
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	c.trades(t, "NZD", 900)
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET live = false WHERE code = 'panezski'")
	check.Must(t, c.app.Notices.Summarise(t.Context(), time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)))
	test := dbtest.Value[string](t, c.app.Pool,
		"SELECT DISTINCT args -> 'data' ->> 'test' FROM river_job WHERE args ->> 'letter' = 'notice summary'")
	check.Equal(t, test, "false", "the summary is of test payments:")
}

func TestEachPersonSwitchesEachKind(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	choose := func(who string, choices map[notice.Kind]notice.Choice) {
		t.Helper()
		check.Must(t, c.app.Notices.Choose(t.Context(), "panezski", c.people[who], choices))
	}
	choose("owner", map[notice.Kind]notice.Choice{notice.RefundFailed: {}})
	choose("viewer", map[notice.Kind]notice.Choice{notice.RefundFailed: {Mail: true}, notice.Payout: {Mail: true}})
	c.happens(t, state.EventRefundFailed, 1)
	c.happens(t, state.EventPayoutPaid, 1)
	c.send(t, time.Now().Add(time.Second))
	check.Equal(t, c.ordered(t), "manager 1, viewer 1, viewer 1", "queued letters")
}

func TestFormerMembersAndUnverifiedAddressesAreNotTold(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member WHERE account_id = $1", c.people["manager"])
	dbtest.Exec(t, c.app.Pool, "UPDATE account SET verified_at = NULL WHERE id = $1", c.people["owner"])
	c.happens(t, state.EventRefundFailed, 1)
	c.send(t, time.Now().Add(time.Second))
	check.Equal(t, c.ordered(t), "", "queued letters")
}

func TestAHundredFailedRefundsAreTwoLetters(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member WHERE account_id = $1", c.people["manager"])
	now := time.Now().Add(time.Second)
	c.happens(t, state.EventRefundFailed, 1)
	c.send(t, now)
	for range 9 {
		c.happens(t, state.EventRefundFailed, 11)
		c.send(t, now)
	}
	check.Equal(t, c.ordered(t), "owner 1", "at first the queued letters")
	c.send(t, now.Add(11*time.Minute))
	c.send(t, now.Add(22*time.Minute))
	check.Equal(t, c.ordered(t), "owner 1, owner 99", "then the queued letters")
}

func TestConcurrentSendersTellEachPersonOnce(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{})
	c.happens(t, state.EventRefundFailed, 3)
	now := time.Now().Add(time.Second)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			check.NoError(t, c.app.Notices.Send(t.Context(), now))
		})
	}
	wait.Wait()
	check.Equal(t, c.ordered(t), "owner 3, manager 3", "queued letters")
}

func TestTheLetterSaysWhatFailed(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{Jobs: true})
	c.happens(t, state.EventRefundFailed, 2)
	c.send(t, time.Now().Add(time.Second))
	m := c.app.Mails(t, "owner@example.com", 1)[0]
	if m.Subject != "2 refunds failed at Panezski" || strings.Count(m.Plain, "$5.00") != 2 || !strings.Contains(m.Plain, "/desk/panezski/notices") {
		t.Errorf("mailed %q: %s", m.Subject, m.Plain)
	}
}

func TestADayIsSummedUpOnceAtSevenLocalTime(t *testing.T) {
	t.Parallel()
	for zone, moments := range map[string][]struct{ at, want string }{
		// Clocks went back on 5 April 2026 at 3 am, and forward on 4 October at 2 am.
		"Australia/Sydney": {
			{"2026-04-04T20:59:59Z", "2026-04-03"}, {"2026-04-04T21:00:00Z", "2026-04-04"}, {"2026-04-05T20:59:59Z", "2026-04-04"}, {"2026-04-05T21:00:00Z", "2026-04-05"},
			{"2026-10-03T19:59:59Z", "2026-10-02"}, {"2026-10-03T20:00:00Z", "2026-10-03"},
		},
		"America/New_York": {{"2026-03-08T10:59:59Z", "2026-03-06"}, {"2026-03-08T11:00:00Z", "2026-03-07"}, {"2026-11-01T11:59:59Z", "2026-10-30"}, {"2026-11-01T12:00:00Z", "2026-10-31"}},
	} {
		place, err := time.LoadLocation(zone)
		check.Must(t, err)
		for _, m := range moments {
			at, err := time.Parse(time.RFC3339, m.at)
			check.Must(t, err)
			check.Equal(t, notice.DayToTell(at, place), m.want, "at %s in %s the day", m.at, zone)
		}
	}

	c := newCrew(t, apptest.Options{})
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET time_zone = 'Australia/Sydney'")
	c.trades(t, "AUD", 1100)
	var got []string
	for _, at := range []string{"2026-04-05T20:59:00Z", "2026-04-05T21:00:00Z", "2026-04-05T21:01:00Z", "2026-04-06T20:00:00Z", "2026-04-06T21:00:00Z"} {
		now, err := time.Parse(time.RFC3339, at)
		check.Must(t, err)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				check.NoError(t, c.app.Notices.Summarise(t.Context(), now))
			})
		}
		wait.Wait()
		got = append(got, dbtest.Value[string](t, c.app.Pool, `SELECT coalesce(string_agg(args -> 'data' ->> 'day', ', ' ORDER BY id), '')
			FROM river_job WHERE args ->> 'letter' = 'notice summary'`))
	}
	// The next day had no payment.
	check.List(t, got, []string{"", "2026-04-05", "2026-04-05", "2026-04-05", "2026-04-05"}, "summed up")
}

// A business that changed its currency, or whose pay links use another one, sees a sum for each currency in the letter and on the page.
func TestASummaryHasASumForEachCurrency(t *testing.T) {
	t.Parallel()
	c := newCrew(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, c.app.Pool, "UPDATE shop SET time_zone = 'Australia/Sydney', currency = 'NZD' WHERE code = 'panezski'")
	c.trades(t, "AUD", 1100)
	c.trades(t, "GBP", 500)
	dbtest.Exec(t, c.app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, state, requested_by, reason, lease_until, created_at, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 200, currency, test_mode, 'done', 'x', 'x', now(), '2026-04-05T13:31:00Z', '2026-04-05T13:31:00Z' FROM transaction WHERE currency = 'GBP'`)
	check.Must(t, c.app.Notices.Summarise(t.Context(), time.Date(2026, 4, 5, 21, 0, 0, 0, time.UTC)))
	m := c.app.Mails(t, "owner@example.com", 1)[0]
	check.Equal(t, m.Subject, "Sunday 5 April at Panezski: $11.00 and 5.00 GBP", "mailed")
	for _, want := range []string{"Taken: $11.00 and 5.00 GBP\n", "Payments: 2\n", "Average: $11.00 and 5.00 GBP\n", "Refunded: 2.00 GBP\n", "Refunds: 1\n"} {
		check.Contains(t, m.Plain, want, "the letter lacks")
	}
}
