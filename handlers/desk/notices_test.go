package desk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/handlers/desk"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/notice"
)

// A browser shows each kind of event in plain words, except those that its person switched off. Mail and messages have separate switches.
func TestABrowserGetsTheNoticesItsPersonChose(t *testing.T) {
	t.Parallel()
	for kind, tt := range map[notice.Kind]struct {
		event       state.Event // "" for the summary of a day
		title, body string
	}{
		notice.Summary:      {"", "Test: $11.00 taken on Sunday 5 April at Panezski", "1 payment, and 1 refund of $4.00."},
		notice.RefundFailed: {state.EventRefundFailed, "Test: A refund of $5.00 failed at Panezski", "The bank declined it, and the payer has not received the money."},
		notice.Dispute:      {state.EventDisputeOpened, "Test: A payment of $5.00 is disputed at Panezski", "The cardholder asked their bank for the money back."},
		notice.Payout:       {state.EventPayoutPaid, "Test: A payout of $5.00 at Panezski", "The money is on its way to the business’s bank account."},
		notice.RefundLarge:  {state.EventRefundLarge, "Test: A refund of $5.00 was requested at Panezski", "It is more than managers may refund."},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			service := apptest.NewPushService(t)
			app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())}).SignIn(t)
			exec := func(statement string, args ...any) {
				t.Helper()
				dbtest.Exec(t, app.Pool, statement, args...)
			}
			// The business's own address gets no notice about a dispute.
			exec("UPDATE shop SET mail = 'shop@example.com', time_zone = 'Australia/Sydney'")
			subscription, _ := json.Marshal(map[string]any{"web": service.Subscription()})
			answer := app.Do(t, http.MethodPost, "/api/push/v1/projects/shop/registrations", strings.NewReader(string(subscription)), http.Header{"Content-Type": {"application/json"}})
			const page = "/desk/panezski/notices"
			token := apptest.JSON[struct{ Token string }](t, answer).Token
			got := app.Post(t, page, url.Values{"do": {"browser"}, "token": {token}})
			check.MustEqual(t, got.Location, page+"?done=browser", "registering the browser: %d", got.Status)
			var want []string
			for i, on := range []struct{ mail, push bool }{{true, true}, {}, {mail: true}, {push: true}} {
				form := url.Values{"do": {"save"}}
				if on.mail {
					form.Set("letter", string(kind))
				}
				if on.push {
					form.Set("push", string(kind))
				}
				app.Post(t, page, form)
				if tt.event == "" {
					dayOfTrade(t, app, fmt.Sprintf("2026-04-%02dT02:00:00Z", 5+i))
					at, _ := time.Parse(time.DateTime, fmt.Sprintf("2026-04-%02d 02:00:00", 6+i))
					check.Must(t, app.Notices.Summarise(t.Context(), at))
				} else {
					exec("INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode) VALUES ('panezski', 'x', $1, 'x', 500, 'AUD', true)", tt.event)
					apptest.Eventually(t, "the event has a number", func() bool {
						if _, err := app.Events.Number(t.Context()); err != nil {
							t.Fatal(err)
						}
						return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop_event WHERE number IS NULL") == 0
					})
					check.Must(t, app.Notices.Send(t.Context(), time.Now().Add(time.Duration(i+1)*time.Hour)))
				}
				if on.mail {
					want = append(want, "mail")
				}
				if on.push {
					want = append(want, "push_note")
				}
				got := dbtest.Value[string](t, app.Pool, `SELECT coalesce(string_agg(kind, ' ' ORDER BY id), '') FROM river_job
					WHERE kind = 'push_note' OR kind = 'mail' AND args ->> 'letter' LIKE 'notice%'`)
				check.Equal(t, got, strings.Join(want, " "), "with %+v the queue holds", on)
			}
			app.WorkQueue(t)
			messages := map[string]apptest.PushMessage{}
			for range 2 {
				m := service.Next(t).Message
				messages[m.Notification.Title] = m
			}
			m, ok := messages[tt.title]
			if !ok || !strings.HasPrefix(m.Notification.Body, tt.body) || m.Data.Loc != string(kind) || m.Data.URL != "/desk/panezski" {
				t.Errorf("the browser shows %+v, want %q and %q", messages, tt.title, tt.body)
			}
			apptest.Eventually(t, "everything is sent", func() bool {
				return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'push_note' AND state <> 'completed'") == 0
			})
			check.Equal(t, len(service.Calls), 0, "the browser gets a notice that its person switched off")
		})
	}
}

// The next person who uses a browser must not see a business's notices.
func TestSigningOutEndsTheNoticesInThatBrowser(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())})
	const page = "/desk/panezski/notices"
	browsers := func() int {
		t.Helper()
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM notice_browser")
	}
	elsewhere := app.NewPerson(t)
	for _, browser := range []*apptest.App{app, elsewhere} {
		browser.SignIn(t)
		subscription, _ := json.Marshal(map[string]any{"web": service.Subscription()})
		answer := browser.Do(t, http.MethodPost, "/api/push/v1/projects/shop/registrations", strings.NewReader(string(subscription)), http.Header{"Content-Type": {"application/json"}})
		token := apptest.JSON[struct{ Token string }](t, answer).Token
		browser.Post(t, page, url.Values{"do": {"browser"}, "token": {token}})
	}
	check.MustEqual(t, browsers(), 2, "browsers show notices")
	app.Post(t, "/signout", nil)
	check.Equal(t, browsers(), 1, "after signing out in one of two, show notices")
	elsewhere.Post(t, "/signout", nil)
	check.Equal(t, browsers(), 0, "after signing out in both, show notices")
}

// dayOfTrade adds a payment of $11.00, of which $4.00 was refunded.
func dayOfTrade(t *testing.T, app *apptest.App, at string) {
	t.Helper()
	id := "past-0000000" + strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(at)
	for _, statement := range []string{
		`INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode, kind) VALUES ($1, 'panezski', 'new', 1100, 'AUD', 'AU', true, 'order')`,
		`WITH a AS (INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, transactionid, created_at, settled_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', 'approved', now(), $1, $2, $2 FROM transaction WHERE id = $1 RETURNING id)
			UPDATE transaction SET status = 'paid', approved_attempt = a.id, paid_at = $2 FROM a WHERE transaction.id = $1`,
		`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, state, requested_by, reason, lease_until, created_at, settled_at)
			SELECT gen_random_uuid(), id, shop_code, 400, currency, test_mode, 'done', 'x', 'x', now(), $2, $2 FROM transaction WHERE id = $1`,
	} {
		args := []any{id, at}
		if !strings.Contains(statement, "$2") {
			args = args[:1]
		}
		dbtest.Exec(t, app.Pool, statement, args...)
	}
}

func TestAMessageAddsUpEachCurrencySeparately(t *testing.T) {
	t.Parallel()
	note := push.Note{Shop: "panezski", Business: "Panezski", Kind: string(notice.Summary), Day: "2026-04-05", Count: 3, Amount: 1100, Currency: "AUD", Refunds: 1}
	note.Others = []push.NoteSum{{Amount: 500, Refunded: 200, Currency: "GBP"}}
	got := desk.NoteMessage(note).Notification
	check.Equal(t, got.Title, "$11.00 and 5.00 GBP taken on Sunday 5 April at Panezski", "the browser shows")
	check.Equal(t, got.Body, "3 payments, and 1 refund of 2.00 GBP.", "the browser shows")
}
