package notice_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

// eventsOf lists the kinds of a subject's events in their order, with what they are about besides the subject.
func eventsOf(t *testing.T, app *apptest.App, subject string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, `SELECT coalesce(string_agg(concat_ws(' ', kind, nullif(detail, ''), amount_minor), ', ' ORDER BY id), '')
		FROM shop_event WHERE shop_code = 'panezski' AND subject = $1`, subject)
}

func forget(t *testing.T, app *apptest.App) {
	t.Helper()
	dbtest.Exec(t, app.Pool, "DELETE FROM shop_event")
}

// pay pays an order of $11.00 and returns the transaction and the attempt.
func pay(t *testing.T, app *apptest.App, number string) (trx string, attempt uuid.UUID) {
	t.Helper()
	trx = app.Order(t)
	c, problems := payment.CardInput{Name: "Pat", Expiry: "12/39", Number: card.Type(number), CVC: card.Type("123")}.Check(time.Now())
	check.MustEqual(t, len(problems), 0, "Check, %v", problems)
	a, err := app.Payments.PayCard(t.Context(), "panezski", trx, "k", c)
	check.Must(t, err)
	return trx, a.ID
}

func TestEachChangeOfAPaymentIsOneEvent(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	refund := func(trx string) error {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 300, By: "test", Again: true})
		return err
	}
	dispute := func(attempt uuid.UUID, state string) {
		app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": attempt.String(), "state": state})
	}
	disputes := func() error { return app.Settlement.ReadLately(t.Context()) }
	for name, tt := range map[string]struct {
		number string
		then   func(trx string, attempt uuid.UUID) error
		want   string
	}{
		"approved":       {"4111111111111111", nil, "order.made 1100, payment.succeeded 1100"},
		"declined":       {"4000000000000002", nil, "order.made 1100, payment.failed 1100"},
		"given back":     {"4111111111111111", func(trx string, _ uuid.UUID) error { return refund(trx) }, "order.made 1100, payment.succeeded 1100, payment.refunded 300"},
		"refund refused": {"4000000000005126", func(trx string, _ uuid.UUID) error { return refund(trx) }, "order.made 1100, payment.succeeded 1100, refund.failed 300"},
		"disputed":       {"4000000000002685", func(string, uuid.UUID) error { return errors.Join(disputes(), disputes()) }, "order.made 1100, payment.succeeded 1100, dispute.opened 1100"},
		"dispute lost": {"4000000000002685", func(_ string, a uuid.UUID) error {
			err := disputes()
			dispute(a, "lost")
			return errors.Join(err, disputes(), disputes())
		}, "order.made 1100, payment.succeeded 1100, dispute.opened 1100, dispute.lost 1100"},
		"dispute won": {"4000000000002685", func(_ string, a uuid.UUID) error {
			err := disputes()
			dispute(a, "won")
			return errors.Join(err, disputes())
		}, "order.made 1100, payment.succeeded 1100, dispute.opened 1100, dispute.won 1100"},
		"made in the kitchen": {"4111111111111111", func(trx string, _ uuid.UUID) error {
			loc := dbtest.Value[string](t, app.Pool, "SELECT loc FROM order_line WHERE transaction_id = $1", trx)
			return errors.Join(app.Kitchens.Done(t.Context(), "panezski", trx, loc), app.Kitchens.Done(t.Context(), "panezski", trx, loc))
		}, "order.made 1100, payment.succeeded 1100, order.ready Kitchen, order.done 1100"},
	} {
		trx, attempt := pay(t, app, tt.number)
		if tt.then != nil {
			check.NoError(t, tt.then(trx, attempt), "%s", name)
		}
		check.Equal(t, eventsOf(t, app, trx), tt.want, "%s", name)
	}
}

func TestEachPayoutIsOneEvent(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	pay(t, app, "4111111111111111")
	app.Acquirer(t, "/sandbox/payout", nil)
	check.Must(t, errors.Join(app.Settlement.ReadLately(t.Context()), app.Settlement.ReadLately(t.Context())))
	list := dbtest.Value[string](t, app.Pool, `SELECT string_agg(concat_ws(' ', e.kind, e.amount_minor, p.net_minor), ', ')
		FROM shop_event e JOIN payout p ON p.id = e.subject AND p.paid_at = e.happened_at`)
	check.Equal(t, list, "payout.paid 1083 1083", "events")
}

func TestChangesOfAShopAndItsTeamAreEvents(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	exec := func(statement string, args ...any) { dbtest.Exec(t, app.Pool, statement, args...) }
	owner, other := shop.Person{ID: uuid.New(), Email: "owner@example.com", Proof: account.OperatorProof()}, uuid.New()
	exec("INSERT INTO account (id, email, password_hash, verified_at) VALUES ($1, 'owner@example.com', 'x', now()), ($2, 'other@example.com', 'x', now())", owner.ID, other)
	exec("INSERT INTO shop_member (shop_code, account_id, role) VALUES ('panezski', $1, 'owner')", owner.ID)
	forget(t, app)
	exec("INSERT INTO shop_member (shop_code, account_id, role) VALUES ('panezski', $1, 'manager')", other)
	for _, role := range []shop.Role{shop.Viewer, shop.Manager, shop.Manager} { // the first role has fewer rights: its row is replaced
		check.Must(t, app.Shops.SetRole(t.Context(), owner, "panezski", other, role))
	}
	check.Must(t, app.Shops.Remove(t.Context(), owner, "panezski", other))
	check.Equal(t, eventsOf(t, app, "team"), "team.changed manager, team.changed viewer, team.changed manager, team.changed left",
		"the team told")
	exec("UPDATE shop SET live = true WHERE code = 'panezski'")
	exec("UPDATE shop SET live = true WHERE code = 'panezski'")
	exec("UPDATE shop SET live = false WHERE code = 'panezski'")
	check.Equal(t, eventsOf(t, app, "shop"), "shop.live, shop.test", "the shop told")
}

// approve settles an attempt within a database transaction, as package payment does.
func approve(ctx context.Context, in db.DBTX, attempt uuid.UUID) (int64, error) {
	return db.New(in).AttemptApprove(ctx, db.AttemptApproveParams{ID: attempt, Transactionid: "T-" + attempt.String()})
}

// underWay returns an order with an open attempt.
func underWay(t *testing.T, app *apptest.App) (trx string, attempt uuid.UUID) {
	t.Helper()
	trx, attempt = app.Order(t), uuid.New()
	_, err := db.New(app.Pool).AttemptClaim(t.Context(), db.AttemptClaimParams{
		ID: attempt, TransactionID: trx, ShopCode: "panezski", Method: state.Card, FormKey: "k", LeaseSeconds: 3600, Gateway: "x",
		TransactionLimit: 5,
	})
	check.Must(t, err)
	return trx, attempt
}

func TestConcurrentSettlementsAreOneEvent(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx, attempt := underWay(t, app)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			_, err := approve(t.Context(), app.Pool, attempt)
			check.NoError(t, err)
		})
	}
	wait.Wait()
	check.Equal(t, eventsOf(t, app, trx), "order.made 1100, payment.succeeded 1100", "told")
}

// Payments from before events existed show the same timeline, read from their rows.
func TestATimelineWorksWithoutEvents(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx, _ := pay(t, app, "4000000000002685")
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	app.SignIn(t)
	page := func() string {
		text := app.Visit(t, "/desk/panezski/payments/"+trx).Text()
		return text[strings.Index(text, "What happened"):]
	}
	with := page()
	forget(t, app)
	check.Equal(t, page(), with, "without events")
	for _, want := range []string{"Ordered for $11.00", "The bank approved $11.00", "disputed $11.00", "Answer by"} {
		check.Contains(t, with, want, "with")
	}
}
