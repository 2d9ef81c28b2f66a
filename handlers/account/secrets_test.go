package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
)

// TestProcessesWorkTogetherWhileTheSecretIsReplaced follows the steps of docs/operations.md (Another secret). At each step, one process
// has taken it and another has not.
func TestProcessesWorkTogetherWhileTheSecretIsReplaced(t *testing.T) {
	t.Parallel()
	newer := strings.Repeat("n", 32)
	before := apptest.New(t, apptest.Options{})
	knows := apptest.New(t, apptest.Options{Beside: before, PreviousSecrets: []string{newer}})
	after := apptest.New(t, apptest.Options{Beside: before, Secret: newer, PreviousSecrets: []string{dbtest.Secret}})
	together(t, "two.before@example.com", before, knows)
	together(t, "two.after@example.com", knows, before)
	together(t, "three.before@example.com", knows, after)
	together(t, "three.after@example.com", after, knows)
}

// together uses two processes in turn from one browser. Each has to read what the other seals or signs.
func together(t *testing.T, email string, at, other *apptest.App) {
	t.Helper()
	one := at.NewPerson(t)
	person := *other
	person.Client = one.Client
	two := &person
	one.SignUp(t, email)
	key := begin(t, one)
	s := secured{App: two, key: key}
	got := two.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {s.code(t, 0)}})
	recovery := codes.FindAllString(got.Body, -1)
	if len(recovery) != 10 {
		t.Fatalf("%s: a key that another process sealed: %d", email, got.Status)
	}
	grow(t, one, "11 minutes")
	got = one.Post(t, "/account/data", url.Values{"do": {"copy"}})
	id, found := strings.CutPrefix(got.Location, "/kept/")
	if got = proveBy(t, two, "/account/data", id, url.Values{"password": {demo.Password}, "code": {recovery[0]}}); !found || got.Location != "/account/data" {
		t.Errorf("%s: a form that another process kept: %d %q", email, got.Status, got.Location)
	}
	one.Post(t, "/signout", nil)
	one.Post(t, "/signin", url.Values{"email": {email}, "password": {demo.Password}})
	if status := step(t, two, "code", s.fresh(t)); status != http.StatusSeeOther || !signedIn(t, one) || !signedIn(t, two) {
		t.Errorf("%s: a sign-in across two processes: %d", email, status)
	}
	trx, token := one.Order(t), ""
	one.Post(t, "/pos/panezski/"+trx, url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email}})
	apptest.Eventually(t, "there is a receipt", func() bool {
		return at.Pool.QueryRow(t.Context(), "SELECT token FROM receipt WHERE transaction_id = $1", trx).Scan(&token) == nil
	})
	receipt, err := at.Receipts.Find(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	signed := at.Receipts.Sign(receipt)
	if _, holds, err := other.Receipts.Check(signed.Code()); err != nil || !holds {
		t.Errorf("%s: a receipt that another process signed: %v, %v", email, holds, err)
	}
}
