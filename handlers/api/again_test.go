package api_test

import (
	"net/http"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestTheAPIPaysAgainAfterAPaymentThatFailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for name, first := range map[string]func(id string) apptest.Answer{
		"a decline": func(id string) apptest.Answer {
			return pay(t, app, id, m{"pan": "4000000000000002", "Idempotency-Key": secretKey})
		},
		"a wallet decline": func(id string) apptest.Answer {
			return byWallet(t, app, id, m{"token": "decline", "Idempotency-Key": secretKey})
		},
	} {
		for by, next := range map[string]func(id string, more m) apptest.Answer{
			"card":   func(id string, more m) apptest.Answer { return pay(t, app, id, more) },
			"wallet": func(id string, more m) apptest.Answer { return byWallet(t, app, id, more) },
		} {
			id := app.Order(t)
			first(id)
			refused(t, next(id, m{"Idempotency-Key": "two"}), http.StatusConflict, "Nothing was charged", `"field":"tryAgain"`)
			paid := next(id, m{"Idempotency-Key": secretKey + "3", "tryAgain": true})
			if res := apptest.JSON[response](t, paid); paid.Status != http.StatusOK || res.Status.StatusCode != "0" {
				t.Errorf("%s, then by %s: %d %s", name, by, paid.Status, paid.Body)
			}
			check.Equal(t, next(id, m{"Idempotency-Key": secretKey + "3", "tryAgain": true}).Body, paid.Body, "%s, then by %s, the same key", name, by)
			other := next(id, m{"Idempotency-Key": "four", "tryAgain": true})
			check.Equal(t, apptest.JSON[response](t, other).State, "paid", "%s, then by %s, another key: %s", name, by, other.Body)
			check.Equal(t, len(app.Captures(t, id)), 1, "%s, then by %s: charged … times", name, by)
		}
	}
}

func TestTryingAgainWhereNothingFailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	fresh, bank := app.Order(t), app.Order(t)
	pay(t, app, fresh, m{"tryAgain": true}).Want(t, http.StatusOK, "a first payment")
	challenged := pay(t, app, bank, m{"pan": "4000000000003220", "Idempotency-Key": secretKey})
	refused(t, pay(t, app, bank, m{"tryAgain": true, "Idempotency-Key": "two"}), http.StatusConflict, "under way")
	check.Equal(t, pay(t, app, bank, m{"tryAgain": true, "Idempotency-Key": secretKey}).Body, challenged.Body,
		"trying again closed somebody's challenge")
	declined := app.Order(t)
	first := pay(t, app, declined, m{"pan": "4000000000000002", "Idempotency-Key": secretKey})
	check.Equal(t, pay(t, app, declined, m{"tryAgain": true, "Idempotency-Key": secretKey}).Body, first.Body, "with the declined payment's key")
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
	check.Equal(t, len(app.Captures(t, id)), 1, "charged … times")
}

// A payment that never reached the bank was not declined, and repeating it with its key does not help.
func TestAPaymentThatNeverReachedTheBank(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	var last apptest.Answer
	apptest.Eventually(t, "it is known that nothing was charged", func() bool {
		last = pay(t, app, id, m{"pan": "4000000000000119", "Idempotency-Key": secretKey})
		return last.Status != http.StatusAccepted
	})
	refused(t, last, http.StatusServiceUnavailable, "Nothing was charged", `"state":"not_charged"`)
	check.Equal(t, last.Header.Get("Retry-After"), "", "Retry-After is, but this key gets the same answer for ever")
	other := pay(t, app, id, m{"Idempotency-Key": "two"})
	refused(t, other, http.StatusConflict, "Nothing was charged")
	check.Lacks(t, other.Body, "declined", "the answer says that it was declined")
	if paid := pay(t, app, id, m{"Idempotency-Key": secretKey + "3", "tryAgain": true}); paid.Status != http.StatusOK || len(app.Captures(t, id)) != 1 {
		t.Errorf("%d %s", paid.Status, paid.Body)
	}
}
