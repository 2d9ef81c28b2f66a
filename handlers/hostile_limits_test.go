package handlers_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/push"
	"forecourt/internal/run/throttle"
	"forecourt/internal/upkeep/demo"
)

// hundred sends a hundred requests at once and counts the answers by status.
func hundred(t *testing.T, send func(n int) apptest.Answer) map[int]int {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	answers := map[int]int{}
	for n := range 100 {
		all.Go(func() {
			status := send(n).Status
			mu.Lock()
			defer mu.Unlock()
			answers[status]++
		})
	}
	all.Wait()
	return answers
}

// most checks that at most limit of a hundred requests got through, and that the others were told to wait.
func most(t *testing.T, answers map[int]int, through, limit int) {
	t.Helper()
	if answers[through] == 0 || answers[through] > limit || answers[through]+answers[http.StatusTooManyRequests] != 100 {
		t.Errorf("answers %v, want at most %d of %d, and 429", answers, limit, through)
	}
}

// sixtyFour returns a header with the nth address of one household, all in one /64.
func sixtyFour(n int) http.Header {
	return http.Header{"X-Forwarded-For": {fmt.Sprintf("2001:db8:1:2::%x", n+1)}, "Sec-Fetch-Site": {"same-origin"}}
}

func with(h http.Header, name, value string) http.Header {
	h.Set(name, value)
	return h
}

// TestAHundredAtOncePassNoMoreThanTheLimit sends a hundred requests at once to each path with a limit.
func TestAHundredAtOncePassNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	t.Run("sign-in", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, behindProxy())
		most(t, hundred(t, func(int) apptest.Answer {
			return newcomer(t, app, strangers).signIn(t, demo.Email, wrong)
		}), http.StatusUnprocessableEntity, 5)
	})
	t.Run("token page", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, behindProxy())
		form := url.Values{"email": {demo.Email}, "secretKey": {"guessed"}, "password": {"Str0ng-pass"}}
		most(t, hundred(t, func(n int) apptest.Answer {
			return app.Do(t, http.MethodPost, "/onboarding/tokengen/"+demo.InviteID, strings.NewReader(form.Encode()), with(sixtyFour(n), "Content-Type", formType))
		}), http.StatusUnprocessableEntity, 5)
	})
	t.Run("bearer tokens", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, behindProxy())
		batch := func(token string, n int) apptest.Answer {
			return app.Do(t, http.MethodGet, "/api/batch/none", nil, with(sixtyFour(n), "Authorization", "Bearer "+token))
		}
		most(t, hundred(t, func(n int) apptest.Answer { return batch(fmt.Sprint("guess", n), n) }), http.StatusUnauthorized, 20)
		// Nobody guesses 122 bits, so the limit counts only wrong tokens: it is no weapon against others on the same network.
		token := app.Bearer(t, "panezski")
		batch(token, 0).Want(t, http.StatusNotFound, "the right token")
	})
	t.Run("push", func(t *testing.T) {
		t.Parallel()
		o := behindProxy()
		o.Push = push.Config{Limit: 10, Project: push.Project{ID: "shop", AppID: "app", SenderID: "sender", APIKey: secret.New("api-key")}}
		app := apptest.New(t, o)
		const body = `{"web":{"endpoint":"https://push.example/x","auth":"AAAAAAAAAAAAAAAAAAAAAA",` +
			`"p256dh":"BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}}`
		most(t, hundred(t, func(n int) apptest.Answer {
			return app.Do(t, http.MethodPost, "/api/push/v1/projects/shop/registrations", strings.NewReader(body), with(sixtyFour(n), "Content-Type", "application/json"))
		}), http.StatusCreated, 10)
	})
	t.Run("resends", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, behindProxy())
		resend := func(path string, n int) apptest.Answer {
			return app.Do(t, http.MethodPost, path+"/resend", strings.NewReader("role=customer"), with(sixtyFour(n), "Content-Type", formType))
		}
		_, path := app.Receipt(t, "ann@example.com")
		most(t, hundred(t, func(n int) apptest.Answer { return resend(path, n) }), http.StatusSeeOther, 3)
		sent := 0
		for n := range 8 {
			_, path := app.Receipt(t, fmt.Sprintf("guest%d@example.com", n))
			for k := range 3 {
				if resend(path, 10*n+k).Status == http.StatusSeeOther {
					sent++
				}
			}
		}
		if sent > 20 {
			t.Errorf("one household caused %d letters", sent)
		}
	})
	t.Run("wallet sessions", func(t *testing.T) {
		t.Parallel()
		o := behindProxy()
		o.WalletSessions = 10
		app := apptest.New(t, o)
		start := func(n int) apptest.Answer {
			const body = `{"validationURL":"https://apple-pay-gateway.apple.com/paymentservices/startSession","merchantId":"panezski","currency":"AUD"}`
			return app.Do(t, http.MethodPost, "/api/wallet/session", strings.NewReader(body), with(sixtyFour(n), "Content-Type", "application/json"))
		}
		most(t, hundred(t, start), http.StatusOK, 10)
	})
}

// TestANetworkMakesThirtyAccountsAnHour lets a network make all accounts of an hour but one.
func TestANetworkMakesThirtyAccountsAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	limits := throttle.New(db.New(app.Pool), secret.Derive(dbtest.Secret, "limits"))
	for range 29 {
		check.Must(t, limits.Take(t.Context(), account.SignUps, "2001:db8:1::/48"))
	}
	const path, host = "/signup", "2001:db8:1:2::"
	signUp := func(from, email string) apptest.Answer {
		return newcomer(t, app, from).post(t, path, url.Values{"email": {email}, "password": {again}, "confirm": {again}})
	}
	if got := signUp(host+"1", demo.Email); got.Status != refused { // an address that has an account
		t.Errorf("a taken address: %d", got.Status)
	}
	signUp(host+"2", "ann@example.com").Want(t, in, "the thirtieth")
	got := signUp(host+"3", "bob@example.com")
	got.Want(t, held, "the next", "Many accounts were made from your network", `value="bob@example.com"`)
	body := `{"email":"bob@example.com","password":"` + again + `"}`
	got = app.Do(t, http.MethodPost, path, strings.NewReader(body), with(sixtyFour(4), "Content-Type", "application/json"))
	got.Want(t, held, "the next, as a call", "Many accounts were made from your network")
	newcomer(t, app, host+"5").signIn(t, demo.Email, demo.Password).Want(t, in, "a sign-in from that network")
	signUp("2001:db8:2:3::1", "bob@example.com").Want(t, in, "from the next network")
	dbtest.Exec(t, app.Pool, "UPDATE throttle SET since = since - interval '61 minutes'")
	signUp(host+"6", "carl@example.com").Want(t, in, "an hour later")
}

// TestAccountsMadeOnThisMachineAreNotLimited uses up the accounts of the network that a proxy on this machine is in.
func TestAccountsMadeOnThisMachineAreNotLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	limits := throttle.New(db.New(app.Pool), secret.Derive(dbtest.Secret, "limits"))
	for range account.SignUpsPerHour {
		check.Must(t, limits.Take(t.Context(), account.SignUps, "127.0.0.1/32"))
	}
	app.NewPerson(t).SignUp(t, "ann@example.com")
	got := newcomer(t, app, strangers).post(t, "/signup", url.Values{"email": {"bob@example.com"}, "password": {again}, "confirm": {again}})
	got.Want(t, held, "through an unlisted proxy on this machine")
}

// TestANetworkHasTwoHundredRequestsAtOnce sends forms that never end, and then asks for a page. Eight more than two hundred are a network's first.
func TestANetworkHasTwoHundredRequestsAtOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	page := func(from string) int {
		return app.Do(t, http.MethodGet, "/signin", nil, http.Header{"X-Forwarded-For": {from}}).Status
	}
	var read sync.WaitGroup // the server asks for the body once it reads it
	for range 208 {
		read.Add(1)
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: read.Done})
		body, _ := io.Pipe()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, app.URL+"/signin", body)
		check.Must(t, err)
		req.Header = http.Header{"Content-Type": {formType}, "Expect": {"100-continue"}, "X-Forwarded-For": {strangers}}
		go func() {
			if res, err := app.Client.Do(req); err == nil { // the test ends before the answer
				_ = res.Body.Close()
			}
		}()
	}
	read.Wait()
	check.Equal(t, page(strangers), http.StatusServiceUnavailable, "the network's next request")
	check.Equal(t, page(home), http.StatusOK, "another network's")
}
