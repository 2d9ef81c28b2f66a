package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
)

func TestTheAPIPaysAgainAfterAPaymentThatFailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for name, first := range map[string]func(id string) apptest.Answer{
		"a decline": func(id string) apptest.Answer {
			return pay(t, app, id, m{"pan": "4000000000000002", "Idempotency-Key": "one"})
		},
		"a wallet decline": func(id string) apptest.Answer {
			return byWallet(t, app, id, m{"token": "decline", "Idempotency-Key": "one"})
		},
	} {
		for by, next := range map[string]func(id string, more m) apptest.Answer{
			"card":   func(id string, more m) apptest.Answer { return pay(t, app, id, more) },
			"wallet": func(id string, more m) apptest.Answer { return byWallet(t, app, id, more) },
		} {
			id := app.Order(t)
			first(id)
			refused(t, next(id, m{"Idempotency-Key": "two"}), http.StatusConflict, "Nothing was charged", `"field":"tryAgain"`)
			paid := next(id, m{"Idempotency-Key": "three", "tryAgain": true})
			if res := apptest.JSON[response](t, paid); paid.Status != http.StatusOK || res.Status.StatusCode != "0" {
				t.Errorf("%s, then by %s: %d %s", name, by, paid.Status, paid.Body)
			}
			if same := next(id, m{"Idempotency-Key": "three", "tryAgain": true}); same.Body != paid.Body {
				t.Errorf("%s, then by %s, the same key: %s", name, by, same.Body)
			}
			if other := next(id, m{"Idempotency-Key": "four", "tryAgain": true}); apptest.JSON[response](t, other).State != "paid" {
				t.Errorf("%s, then by %s, another key: %s", name, by, other.Body)
			}
			if n := len(app.Captures(t, id)); n != 1 {
				t.Errorf("%s, then by %s: charged %d times", name, by, n)
			}
		}
	}
}

func TestTryingAgainWhereNothingFailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	fresh, bank := app.Order(t), app.Order(t)
	if got := pay(t, app, fresh, m{"tryAgain": true}); got.Status != http.StatusOK {
		t.Errorf("a first payment: %d %s", got.Status, got.Body)
	}
	challenged := pay(t, app, bank, m{"pan": "4000000000003220", "Idempotency-Key": "one"})
	refused(t, pay(t, app, bank, m{"tryAgain": true, "Idempotency-Key": "two"}), http.StatusConflict, "under way")
	if again := pay(t, app, bank, m{"tryAgain": true, "Idempotency-Key": "one"}); again.Body != challenged.Body {
		t.Errorf("trying again closed somebody's challenge: %s", again.Body)
	}
	declined := app.Order(t)
	first := pay(t, app, declined, m{"pan": "4000000000000002", "Idempotency-Key": "one"})
	if again := pay(t, app, declined, m{"tryAgain": true, "Idempotency-Key": "one"}); again.Body != first.Body {
		t.Errorf("with the declined payment's key: %s", again.Body)
	}
}

func TestManyTryingAgainAtOnceChargeOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	pay(t, app, id, m{"pan": "4000000000000002"})
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() { pay(t, app, id, m{"tryAgain": true, "Idempotency-Key": []string{"a", "b", "c", "d"}[i%4]}) })
	}
	wait.Wait()
	if n := len(app.Captures(t, id)); n != 1 {
		t.Errorf("charged %d times", n)
	}
}

// A payment that never reached the bank was not declined, and repeating it with its key does not help.
func TestAPaymentThatNeverReachedTheBank(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	var last apptest.Answer
	apptest.Eventually(t, "it is known that nothing was charged", func() bool {
		last = pay(t, app, id, m{"pan": "4000000000000119", "Idempotency-Key": "one"})
		return last.Status != http.StatusAccepted
	})
	refused(t, last, http.StatusServiceUnavailable, "Nothing was charged", `"state":"not_charged"`)
	if wait := last.Header.Get("Retry-After"); wait != "" {
		t.Errorf("Retry-After is %q, but this key gets the same answer for ever", wait)
	}
	other := pay(t, app, id, m{"Idempotency-Key": "two"})
	refused(t, other, http.StatusConflict, "Nothing was charged")
	if strings.Contains(other.Body, "declined") {
		t.Errorf("the answer says that it was declined: %s", other.Body)
	}
	if paid := pay(t, app, id, m{"Idempotency-Key": "three", "tryAgain": true}); paid.Status != http.StatusOK || len(app.Captures(t, id)) != 1 {
		t.Errorf("%d %s", paid.Status, paid.Body)
	}
}

func TestMissingItemsAreAList(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	answer := app.PostJSON(t, "/api/pos", croissants(m{"order": []m{{"name": "Lobster", "qty": 1}}}))
	refused(t, answer, http.StatusConflict, `"items":["Lobster"]`, `"itemIds":[]`)
}
