package payment_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// letters returns the keys of the ordered receipts, in order.
func letters(t *testing.T, app *apptest.App) []string {
	t.Helper()
	rows, err := app.Pool.Query(t.Context(), "SELECT args->>'key' FROM river_job WHERE kind = 'mail' AND args->>'key' NOT LIKE 'decided/%' ORDER BY 1")
	check.Must(t, err)
	defer rows.Close()
	var keys []string
	for rows.Next() {
		var key string
		check.Must(t, rows.Scan(&key))
		keys = append(keys, key)
	}
	return keys
}

func pay(t *testing.T, app *apptest.App, number string) string {
	t.Helper()
	id := app.Order(t)
	_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, number))
	check.Must(t, err)
	return id
}

func TestAPaymentOrdersItsReceiptsOnce(t *testing.T) {
	t.Parallel()
	consumer := `,"consumer":{"firstname":"Bo","lastname":"Li","email":"bo@example.com"}`
	// The gateway answers only after the sweep has found out, so the payment is settled twice.
	release, resolved := make(chan struct{}), make(chan struct{}, 1)
	app := apptest.New(t, apptest.Options{Gateway: gatewayStub(
		func(w http.ResponseWriter, _ string) { <-release; fmt.Fprintf(w, approved, "1", consumer) },
		func(w http.ResponseWriter, _ string) {
			fmt.Fprintf(w, approved, "1", consumer)
			select {
			case resolved <- struct{}{}:
			default:
			}
		})})
	id := app.Order(t)
	done := make(chan error, 1)
	go func() {
		_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
		done <- err
	}()
	apptest.Eventually(t, "the attempt is claimed", func() bool { return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt") == 1 })
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET lease_until = now()")
	<-resolved
	check.MustEqual(t, settled(t, app, id).Status, "success", "the status")
	close(release)
	check.Must(t, <-done)
	if err := app.Payments.Close(t.Context()); err != nil { // also settles the slow answer
		t.Fatal(err)
	}
	want := []string{"receipt/" + id + "/customer", "receipt/" + id + "/merchant", "receipt/" + id + "/typed"}
	t.Run("one receipt each goes to the merchant, the customer and the typed address (RCPT-01 RCPT-02 RCPT-03 RCPT-04)", func(t *testing.T) {
		check.List(t, letters(t, app), want, "ordered")
	})
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM receipt WHERE length(token) >= 26"), 1,
		"there are … receipts with a token")
}

func TestAnUnpaidTransactionHasNoReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, number := range []string{"4000000000000002", "4000000000000119"} {
		check.MustEqual(t, settled(t, app, pay(t, app, number)).Status, "error", "the status")
	}
	if got := letters(t, app); len(got) > 0 || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM receipt") > 0 {
		t.Errorf("letters %q, want none and no receipt", got)
	}
}

func TestAPaymentDecidedByAPersonHasAReceipt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end     payment.End
		letters int
	}{"approved": {payment.EndApproved, 2}, "not charged": {payment.EndNotCharged, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Gateway: gatewayStub(func(w http.ResponseWriter, _ string) {
				fmt.Fprintf(w, approved, "1", `,"amount":"99.00"`)
			}, func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"state":"not_charged"}`) })})
			pay(t, app, "4111111111111111")
			attempt := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM attempt WHERE state = 'manual'")
			check.Empty(t, letters(t, app), "letters before the decision")
			check.Must(t, insisting(t, app.Payments.Decide, payment.Decision{Of: attempt, End: tt.end, By: "Kim", Reason: "seen at the bank"}))
			got := letters(t, app)
			check.Equal(t, len(got), tt.letters, "RCPT-01 RCPT-02 letters %q", got)
		})
	}
}

func TestAPaymentAndItsReceiptsAreStoredTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, statement := range []string{
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more jobs'; END $$`,
		`CREATE TRIGGER refuse BEFORE INSERT ON river_job FOR EACH ROW WHEN (NEW.kind = 'mail') EXECUTE FUNCTION refuse()`,
	} {
		dbtest.Exec(t, app.Owner(t), statement)
	}
	id := pay(t, app, "4111111111111111")
	if trx := stored(t, app, id).Transaction; trx.Status != "processing" || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM receipt") > 0 {
		t.Fatalf("the payment was stored without its receipts: %s", trx.Status)
	}
	for _, statement := range []string{"DROP TRIGGER refuse ON river_job", "UPDATE attempt SET lease_until = now()"} {
		dbtest.Exec(t, app.Owner(t), statement)
	}
	if trx := settled(t, app, id); trx.Status != "success" || len(letters(t, app)) != 2 || len(app.Captures(t, id)) != 1 {
		t.Errorf("status %s, letters %q", trx.Status, letters(t, app))
	}
}
