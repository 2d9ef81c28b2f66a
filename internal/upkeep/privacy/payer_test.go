package privacy_test

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/upkeep/privacy"
)

var home = netip.MustParseAddr("192.0.2.7")

// pays pays for an order as somebody, and returns the transaction and the token of its receipt.
func pays(t *testing.T, app *apptest.App, name, email string) (id, token string) {
	t.Helper()
	id = app.Order(t)
	app.Post(t, "/pos/panezski/"+id, url.Values{
		"name": {name}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email},
	})
	apptest.Eventually(t, "the receipt", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT token FROM receipt WHERE transaction_id = $1", id).Scan(&token) == nil
	})
	return id, token
}

// paid is pays for an order that holds the payer's data everywhere.
func paid(t *testing.T, app *apptest.App) (id, token string) {
	t.Helper()
	id, token = pays(t, app, "Quentin Marlow", "quentin@example.com")
	for _, statement := range []string{
		"UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1",
		"UPDATE attempt SET consumer_name = 'Quentin Marlow', consumer_email = 'q.marlow@bank.example', error_msg = 'for QUENTIN MARLOW', request = 'QUENTIN', trace = 'quentin' WHERE transaction_id = $1",
		"UPDATE transaction SET customer_name = 'Quentin', description = 'Cake for quentin, 40', push_token = repeat('a', 64) WHERE id = $1",
		"UPDATE order_line SET note = 'no nuts for Quentin' WHERE transaction_id = $1",
		"INSERT INTO push_registration (key, endpoint, auth, p256dh) SELECT repeat('a', 64), 'https://push.example/quentin', '', '' WHERE $1 <> ''",
		"INSERT INTO audit (actor, action, subject, reason) VALUES ('staff@forecourt.test', 'refund', $1, 'Quentin Marlow called from quentin@example.com')",
		"INSERT INTO mail (id, key, kind, message_id, sender, recipient, subject, plain, html) VALUES (gen_random_uuid(), 'receipt/' || $1 || '/customer', 'receipt', 'z', 's', 'quentin@example.com', 's', 'Quentin', 'h')",
		"INSERT INTO river_job (kind, state, args, max_attempts, finalized_at) VALUES ('mail', 'completed', jsonb_build_object('key', 'pay link/' || $1::text, 'data', jsonb_build_object('to', 'quentin@example.com')), 1, now())",
	} {
		dbtest.Exec(t, app.Pool, statement, id)
	}
	return id, token
}

func TestErasingAPayerKeepsTheBooks(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, token := paid(t, app)
	books := func() string {
		return dbtest.Value[string](t, app.Pool, `SELECT t.id || t.status || t.amount_minor || t.currency || t.paid_at || t.transactionid || t.code || a.id || a.card_brand || a.card_last_four || a.settled_at
			|| a.bank_transaction_no || a.gateway_reference || r.token || r.business FROM transaction t JOIN attempt a ON a.id = t.approved_attempt JOIN receipt r ON r.transaction_id = t.id WHERE t.id = $1`, id)
	}
	before, err := app.Receipts.Find(t.Context(), token)
	check.Must(t, err)
	signed, kept := app.Receipts.Sign(before), books()
	app.Get(t, "/api/pos/panezski/"+id)
	check.Must(t, app.Privacy.ErasePayer(t.Context(), id))
	for _, name := range []string{"quentin", "marlow"} {
		check.Empty(t, holding(t, app.Pool, name), "%s is still in", name)
	}
	check.Equal(t, books(), kept, "the books changed")
	after, err := app.Receipts.Find(t.Context(), token)
	if err != nil || !after.Erased || after.CardLastFour != "1111" {
		t.Fatalf("%+v, %v", after, err)
	}
	if again := app.Receipts.Sign(after); again.Text != signed.Text || !slices.Equal(again.Signature, signed.Signature) {
		t.Errorf("the signed text changed from %q to %q", signed.Text, again.Text)
	}
	if _, holds, err := app.Receipts.Check(signed.Code()); !holds || err != nil {
		t.Errorf("the earlier receipt is valid = %v, %v", holds, err)
	}
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT reason FROM audit WHERE subject = $1 AND action = 'refund'", id), "erased called from erased",
		"the audit log's reason")
	check.ErrorIs(t, app.Receipts.SendTo(t.Context(), token, "eve@example.com", home), receipt.ErrAsked,
		"sending the receipt to another address")
	check.NoError(t, app.Privacy.ErasePayer(t.Context(), id), "erasing again")
	// The gateway reports the payer again later, as in an import after a restore.
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET consumer_name = 'Quentin Marlow', consumer_email = 'quentin@example.com' WHERE transaction_id = $1", id)
	check.Empty(t, holding(t, app.Pool, "quentin"), "the gateway's later answer is stored in")
}

func TestErasingAPayerReachesEveryTableOfTheList(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, _ := paid(t, app)
	args := pgx.NamedArgs{"transaction": id}
	for _, statement := range []string{
		"UPDATE receipt SET asked_mail = 'quentin@example.com' WHERE transaction_id = @transaction",
		`INSERT INTO paylink (transaction_id, shop_code, pl_name, pl_merchant_email, payer_mail)
			SELECT @transaction, 'panezski', 'p', '', 'quentin@example.com'`,
		"INSERT INTO order_key (shop_code, key, content_hash, transaction_id) SELECT 'panezski', 'k', '', @transaction ON CONFLICT DO NOTHING",
		"INSERT INTO paid_origin (transaction_id, origin, created_at) SELECT @transaction, '', now() ON CONFLICT DO NOTHING",
		"INSERT INTO erasure_ask (id, transaction_id) SELECT gen_random_uuid(), @transaction",
		`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, reason, state, settled_at)
			SELECT gen_random_uuid(), id, shop_code, 100, currency, test_mode, 's', now(), 'Quentin', 'declined', now()
			FROM transaction WHERE id = @transaction`,
		`INSERT INTO refund_ask (transaction_id, shop_code, asked_by, amount_minor, reason, form)
			SELECT @transaction, 'panezski', 's', 100, 'Quentin', ''`,
	} {
		dbtest.Exec(t, app.Pool, statement, args)
	}
	for _, e := range privacy.OfPayer() {
		if count(t, app, e.Name, e.Finds, args) == 0 {
			t.Errorf("table %s: nothing is planted", e.Name)
		}
	}
	other, _ := pays(t, app, "Mary Poole", "mary@example.com")
	check.Must(t, app.Privacy.ErasePayer(t.Context(), id))
	for _, e := range privacy.OfPayer() {
		check.Equal(t, count(t, app, e.Name, e.Gone, args), 0, "table %s: … rows are left", e.Name)
	}
	check.Empty(t, holding(t, app.Pool, "quentin"), "the payer is still in")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT payer_name FROM attempt WHERE transaction_id = $1", other), "Mary Poole",
		"another payer")
}

func TestAPayerNamedLikeTheRefunderIsErasedFromTheAudit(t *testing.T) {
	t.Parallel()
	for name, typed := range map[string]string{"as their name": "payer_name", "as their address": "payer_email", "at the gateway": "consumer_email"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id, _ := paid(t, app)
			dbtest.Exec(t, app.Pool, "UPDATE attempt SET "+typed+" = 'staff@forecourt.test' WHERE transaction_id = $1", id)
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET customer_name = 'forecourt.test' WHERE id = $1", id)
			dbtest.Exec(t, app.Pool, "UPDATE receipt SET asked_mail = 'quentin@example.com' WHERE transaction_id = $1", id) // the only trace once another address is typed
			dbtest.Exec(t, app.Pool, "INSERT INTO audit (actor, action, subject, reason) VALUES ('staff@forecourt.test', 'refund', $1, 'says to be staff@forecourt.test')", id)
			check.Must(t, app.Privacy.ErasePayer(t.Context(), id))
			got := dbtest.Value[string](t, app.Pool, "SELECT string_agg(actor || ': ' || reason, '; ' ORDER BY id) FROM audit WHERE subject = $1 AND action = 'refund'", id)
			check.Equal(t, got, "staff@forecourt.test: erased called from erased; staff@forecourt.test: says to be erased", "the audit log")
		})
	}
}

func TestTheKitchenSeesTheTableUntilTheOrderIsMade(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, token := paid(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'open', done_at = NULL WHERE transaction_id = $1", id)
	check.ErrorIs(t, app.Privacy.ErasePayer(t.Context(), id), privacy.ErrMaking, "erasing while the order is being made")
	check.NoError(t, app.Privacy.AskPayer(t.Context(), token, receipt.Customer, home), "asking while the order is being made")
	if table, note := dbtest.Value[string](t, app.Pool, "SELECT table_name FROM transaction WHERE id = $1", id), dbtest.Value[string](t, app.Pool, "SELECT min(note) FROM order_line WHERE transaction_id = $1", id); table != "4" || note != "no nuts for Quentin" {
		t.Errorf("the kitchen sees the table %q and the note %q", table, note)
	}
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET due_at = now() - interval '1 hour' WHERE transaction_id = $1", id)
	if err := app.Privacy.EraseDue(t.Context()); err != nil || !dbtest.Value[bool](t, app.Pool, "SELECT due_at > now() FROM erasure_ask WHERE transaction_id = $1", id) {
		t.Errorf("the erasure was not postponed behind the others: %v", err)
	}
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - interval '25 hours' WHERE id = $1", id) // no kitchen lists it any longer
	check.NoError(t, app.Privacy.ErasePayer(t.Context(), id), "erasing a day later")
	check.Empty(t, holding(t, app.Pool, "quentin"), "quentin is still in")
}

func TestAPayerIsNotErasedWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"a refund is under way": "INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until) SELECT gen_random_uuid(), id, shop_code, 100, currency, test_mode, 'x', now() FROM transaction WHERE id = $1",
		"a dispute is open": `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
			SELECT approved_attempt, id, shop_code, 100, currency, test_mode, 'opened', now() FROM transaction WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id, token := paid(t, app)
			dbtest.Exec(t, app.Pool, change, id)
			check.ErrorIs(t, app.Privacy.ErasePayer(t.Context(), id), privacy.ErrMoving, "erasing")
			check.ErrorIs(t, app.Privacy.AskPayer(t.Context(), token, receipt.Customer, home), privacy.ErrMoving, "asking")
			if left := holding(t, app.Pool, "quentin"); len(left) == 0 {
				t.Error("the payer was erased")
			}
		})
	}
}

func TestAFailedErasureChangesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, member := app.Order(t), member(t, app)
	before := holding(t, app.Pool, ann)
	for table, step := range map[string]string{"erasure": "INSERT", "session": "DELETE"} { // the last step and an early one
		dbtest.Exec(t, app.Owner(t), "CREATE RULE broken AS ON "+step+" TO "+table+" DO INSTEAD SELECT 1/0")
		check.Error(t, errors.Join(app.Privacy.EraseAccount(t.Context(), member), app.Privacy.ErasePayer(t.Context(), id)),
			"%s: the failure was not reported", table)
		check.List(t, holding(t, app.Pool, ann), before, "%s: the address is in", table)
		dbtest.Exec(t, app.Owner(t), "DROP RULE broken ON "+table)
	}
	check.NoError(t, app.Privacy.EraseAccount(t.Context(), member), "erasing afterwards")
}

func TestConcurrentErasuresAreOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	said := make(chan error, 4)
	for range cap(said) {
		go func() { said <- app.Privacy.EraseAccount(t.Context(), id) }()
	}
	var done int
	for range cap(said) {
		switch err := <-said; {
		case err == nil:
			done++
		case !errors.Is(err, privacy.ErrNobody):
			t.Error(err)
		}
	}
	if letters := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args ->> 'letter' = $1", privacy.LetterErased); done != 1 || letters != 1 {
		t.Errorf("%d erasures succeeded and %d letters are queued, want 1 and 1", done, letters)
	}
}
