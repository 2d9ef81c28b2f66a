package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/push"
	"forecourt/internal/upkeep/demo"
)

const (
	registrations = "/api/push/v1/projects/shop/registrations"
	screen        = "/pos/panezski/kitchen"
)

func send(t *testing.T, app *apptest.App, method, path string, web any) apptest.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"web": web})
	check.Must(t, err)
	return app.Do(t, method, path, bytes.NewReader(body), http.Header{"Content-Type": {"application/json"}})
}

// register returns the token of a browser.
func register(t *testing.T, app *apptest.App, s *apptest.PushService) string {
	t.Helper()
	answer := send(t, app, http.MethodPost, registrations, s.Subscription())
	token := apptest.JSON[struct{ Token string }](t, answer).Token
	if answer.Status != http.StatusCreated || len(token) < 40 {
		t.Fatalf("PUSH-04 PUSH-08 register: %d %s", answer.Status, answer.Body)
	}
	return token
}

// paid pays for an order that two places make.
func paid(t *testing.T, app *apptest.App, pushToken string) (trx string, locs []string) {
	t.Helper()
	answer := app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "table": "7", "source": "diy-pos", "pushToken": pushToken,
		"order": []map[string]any{{"name": "Butter Croissant", "qty": 2}, {"name": "Flat White", "qty": 1}},
	})
	trx = apptest.JSON[struct{ TrxID string }](t, answer).TrxID
	answer = app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	})
	answer.Must(t, http.StatusOK, "pay")
	locs = dbtest.Value[[]string](t, app.Pool, "SELECT array_agg(DISTINCT loc ORDER BY loc) FROM order_line WHERE transaction_id = $1", trx)
	check.MustEqual(t, len(locs), 2, "places")
	return trx, locs
}

func done(t *testing.T, app *apptest.App, trx, loc string) {
	t.Helper()
	app.Post(t, screen, url.Values{"done": {trx + " " + loc}}).Must(t, http.StatusSeeOther, "done")
}

func registered(t *testing.T, app *apptest.App) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM push_registration")
}

func TestACustomerIsToldPlaceByPlace(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Jobs: true, Push: apptest.PushProject(service.Host())}).SignIn(t)
	token := register(t, app, service)
	trx, locs := paid(t, app, "")
	page := app.Get(t, "/pos/panezski/"+trx).Body
	check.Contains(t, page, `data-url="/pos/panezski/`+trx+`/push"`, "PUSH-13 the page does not offer messages")
	check.Contains(t, page, `data-project="shop"`, "PUSH-13 the page does not offer messages")
	attached := app.Post(t, "/pos/panezski/"+trx+"/push", url.Values{"token": {token}})
	attached.Leads(t, "/pos/panezski/"+trx, "PUSH-13 attach")
	done(t, app, trx, locs[0])
	done(t, app, trx, locs[0]) // a second tap sends no message
	first := service.Next(t)
	if first.Message.Data.Loc != locs[0] || first.Message.Data.URL != "/pos/panezski/"+trx || first.Message.Notification.Title != locs[0]+": ready" {
		t.Errorf("PUSH-11 PAY-54 the message is %+v", first)
	}
	// The message is dropped an hour after the order became ready, however long it waited for its turn.
	if ttl, err := strconv.Atoi(first.TTL); err != nil || ttl < 3500 || ttl > 3600 || first.Urgency != "high" {
		t.Errorf("the message has the TTL %q and the urgency %q", first.TTL, first.Urgency)
	}
	done(t, app, trx, locs[1])
	second := service.Next(t)
	if second.Message.Data.Loc != locs[1] || second.Message.Notification.Title != "Your order is ready" || !strings.HasSuffix(second.Message.Notification.Body, "table 7") {
		t.Errorf("PUSH-11 the last message is %+v", second)
	}
	apptest.Eventually(t, "no message is left to send", func() bool {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'push' AND state <> 'completed'") == 0
	})
	check.Equal(t, len(service.Calls), 0, "a message was sent twice")
}

func TestATokenSentWithTheOrderGetsMessagesToo(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Jobs: true, Push: apptest.PushProject(service.Host())}).SignIn(t)
	trx, locs := paid(t, app, register(t, app, service))
	service.Status.Store(http.StatusServiceUnavailable)
	done(t, app, trx, locs[0])
	service.Next(t)
	service.Status.Store(0)
	again := service.Next(t)
	check.Equal(t, again.Message.Data.Loc, locs[0], "PUSH-13 after an outage of the push service: %+v", again)
}

// TestAServiceThatDoesNotAnswerHoldsUpNobody has a browser whose push service never answers, and for it more messages than there are workers.
func TestAServiceThatDoesNotAnswerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	good := apptest.NewPushService(t)
	called := make(chan struct{}, 100)
	deaf := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the caller leaves
		called <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(deaf.Close)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(good.Host(), deaf.Listener.Addr().String())}).SignIn(t)
	subscription := good.Subscription()
	subscription["endpoint"] = deaf.URL
	lost := apptest.JSON[struct{ Token string }](t, send(t, app, http.MethodPost, registrations, subscription)).Token
	waiting, _ := paid(t, app, lost)
	served, locs := paid(t, app, register(t, app, good))
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	for n := range 40 {
		check.Must(t, app.Push.Queue(t.Context(), tx, "panezski", waiting, fmt.Sprint("bar ", n)))
	}
	check.Must(t, tx.Commit(t.Context()))
	done(t, app, served, locs[0])
	app.WorkQueue(t)
	for range 2 {
		<-called
	}
	app.Post(t, "/reset", url.Values{"email": {demo.Email}})
	app.Mails(t, demo.Email, 1)
	got := good.Next(t)
	check.Equal(t, got.Message.Data.Loc, locs[0], "the other service's message: %+v", got)
	if among := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'push' AND queue = 'default'"); among > 0 {
		t.Errorf("%d messages are queued among the letters", among)
	}
	if more := len(called); more >= 8 {
		t.Errorf("the letter and the message came after %d calls of the service that does not answer", 2+more)
	}
}

func TestAnUndoneTapSendsNoMessage(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())}).SignIn(t)
	trx, locs := paid(t, app, register(t, app, service))
	done(t, app, trx, locs[0])
	app.Post(t, screen, url.Values{"undo": {trx + " " + locs[0]}})
	done(t, app, trx, locs[1])
	app.WorkQueue(t)
	c := service.Next(t)
	check.Equal(t, c.Message.Data.Loc, locs[1], "the undone tap sent a message: %+v", c)
}

func TestARegistrationThatIsGoneIsDeleted(t *testing.T) {
	t.Parallel()
	for _, status := range []int64{http.StatusNotFound, http.StatusGone} {
		service := apptest.NewPushService(t)
		app := apptest.New(t, apptest.Options{Jobs: true, Push: apptest.PushProject(service.Host())}).SignIn(t)
		trx, locs := paid(t, app, register(t, app, service))
		service.Status.Store(status)
		done(t, app, trx, locs[0])
		service.Next(t)
		apptest.Eventually(t, "the registration is deleted", func() bool { return registered(t, app) == 0 })
	}
}

func TestAnInternalAddressIsNeverCalled(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Jobs: true, Push: apptest.PushProject()}).SignIn(t)
	outside := service.Subscription()
	outside["endpoint"] = "https://push.example.com/1"
	token := apptest.JSON[struct{ Token string }](t, send(t, app, http.MethodPost, registrations, outside)).Token
	trx, locs := paid(t, app, token)
	// The name is public but resolves to an internal address.
	dbtest.Exec(t, app.Pool, "UPDATE push_registration SET endpoint = $1", service.URL+"/send")
	done(t, app, trx, locs[0])
	apptest.Eventually(t, "the registration is deleted", func() bool { return registered(t, app) == 0 })
	check.Equal(t, len(service.Calls), 0, "the internal address was called")
}

func TestARegistrationIsChangedByItsHolderAlone(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())})
	token := register(t, app, service)
	dbtest.Exec(t, app.Pool, "UPDATE push_registration SET refreshed_at = now() - interval '8 days'")
	updated := send(t, app, http.MethodPatch, registrations+"/"+token, service.Subscription())
	updated.Want(t, http.StatusOK, "PATCH updates a registration (PUSH-05)")
	check.Equal(t, apptest.JSON[struct{ Token string }](t, updated).Token, token, "PATCH updates a registration (PUSH-05)")
	kept := dbtest.Value[string](t, app.Pool, "SELECT key FROM push_registration WHERE refreshed_at > now() - interval '1 minute'")
	check.Lacks(t, kept, token, "PUSH-02 after a refresh, the token is kept as")
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		if got := send(t, app, method, registrations+"/"+token+"x", service.Subscription()); got.Status != http.StatusNotFound || problem(t, got) == "" {
			t.Errorf("PUSH-08 %s by another: %d %s", method, got.Status, got.Body)
		}
	}
	t.Run("DELETE removes a registration, once (PUSH-06)", func(t *testing.T) {
		send(t, app, http.MethodDelete, registrations+"/"+token, nil).Want(t, http.StatusOK, "remove")
		check.Equal(t, registered(t, app), 0, "remove")
		send(t, app, http.MethodDelete, registrations+"/"+token, nil).Want(t, http.StatusNotFound, "remove again")
	})
}

// problem returns the text of an error (PUSH-08).
func problem(t *testing.T, a apptest.Answer) string {
	t.Helper()
	return apptest.JSON[struct{ Error struct{ Message string } }](t, a).Error.Message
}

func TestUselessRegistrationsAreRefused(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())})
	with := func(name, value string) map[string]string {
		s := service.Subscription()
		s[name] = value
		return s
	}
	for name, tt := range map[string]struct {
		path   string
		web    any
		status int
	}{
		"our own key (PUSH-07)":          {registrations, with("applicationPubKey", app.Push.PublicKey()), http.StatusCreated},
		"another's key (PUSH-07)":        {registrations, with("applicationPubKey", service.Subscription()["p256dh"]), http.StatusUnprocessableEntity},
		"not https":                      {registrations, with("endpoint", "http://push.example.com/1"), http.StatusUnprocessableEntity},
		"an internal address":            {registrations, with("endpoint", "https://169.254.169.254/latest"), http.StatusUnprocessableEntity},
		"an internal name":               {registrations, with("endpoint", "https://localhost/1"), http.StatusUnprocessableEntity},
		"an address in another notation": {registrations, with("endpoint", "https://127.1/1"), http.StatusUnprocessableEntity},
		"another port of our own host":   {registrations, with("endpoint", "http://127.0.0.1:1/"), http.StatusUnprocessableEntity},
		"an endpoint without end":        {registrations, with("endpoint", "https://push.example.com/"+strings.Repeat("x", 1024)), http.StatusUnprocessableEntity},
		"a short auth":                   {registrations, with("auth", "AAAA"), http.StatusUnprocessableEntity},
		"a list":                         {registrations, []int{1}, http.StatusUnprocessableEntity},
		"a huge body":                    {registrations, with("endpoint", strings.Repeat("x", 1<<20)), http.StatusRequestEntityTooLarge},
		"another project, letters only":  {strings.Replace(registrations, "shop", "Shop", 1), service.Subscription(), http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			if got := send(t, app, http.MethodPost, tt.path, tt.web); got.Status != tt.status || tt.status >= 300 && problem(t, got) == "" {
				t.Errorf("%d %s, want %d", got.Status, got.Body, tt.status)
			}
		})
	}
}

func TestOnlyPaidOrdersAreAttached(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.New(t, apptest.Options{Push: apptest.PushProject(service.Host())})
	token := register(t, app, service)
	trx, _ := paid(t, app, "")
	for name, tt := range map[string]struct {
		path, token string
		status      int
	}{
		"an unknown token":             {"/pos/panezski/" + trx + "/push", token + "x", http.StatusNotFound},
		"no token":                     {"/pos/panezski/" + trx + "/push", "", http.StatusNotFound},
		"the stored form of the token": {"/pos/panezski/" + trx + "/push", push.KeyOf(token), http.StatusNotFound},
		"an unpaid order":              {"/pos/panezski/" + app.Order(t) + "/push", token, http.StatusNotFound},
		"another's order":              {"/pos/moollar/" + trx + "/push", token, http.StatusNotFound},
		"no order":                     {"/pos/panezski/AAAAAAAAAAAAAAAAAAAAAA/push", token, http.StatusNotFound},
	} {
		app.Post(t, tt.path, url.Values{"token": {tt.token}}).Want(t, tt.status, name)
	}
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT push_token FROM transaction WHERE id = $1", trx), "",
		"PUSH-13 an order without a token keeps")
}

func TestRegistrationsOfOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	c := apptest.PushProject(service.Host())
	c.Limit = 2
	app := apptest.New(t, apptest.Options{Push: c})
	register(t, app, service)
	register(t, app, service)
	send(t, app, http.MethodPost, registrations, service.Subscription()).Want(t, http.StatusTooManyRequests, "the third").HasHeader(t,
		"Retry-After", "…")
	check.Equal(t, registered(t, app), 2, "the third")
}

func TestWithoutAProjectThePageWorks(t *testing.T) {
	t.Parallel()
	service := apptest.NewPushService(t)
	app := apptest.SignedIn(t)
	trx, locs := paid(t, app, "token")
	if page := app.Get(t, "/pos/panezski/"+trx); page.Status != http.StatusOK || strings.Contains(page.Body, "data-project") {
		t.Errorf("PUSH-01 the page of a program without push: %d", page.Status)
	}
	done(t, app, trx, locs[0])
	send(t, app, http.MethodPost, registrations, service.Subscription()).Want(t, http.StatusNotFound, "PUSH-01 register without a project")
	app.Post(t, "/pos/panezski/"+trx+"/push", url.Values{"token": {"x"}}).Want(t, http.StatusNotFound, "PUSH-01 attach without a project")
}

func TestSignInAndOutAreSynced(t *testing.T) {
	t.Parallel()
	calls := make(chan string, 4)
	peer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct{ User, ProjectID, AppID, MessagingSenderID string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		if body.User == "" || body.ProjectID != "shop" || body.AppID != "app" || body.MessagingSenderID != "sender" {
			t.Errorf("the body is %+v", body)
		}
		calls <- r.Method + " " + r.URL.Path + " " + r.Header.Get("Authorization")
	}))
	t.Cleanup(peer.Close)
	c := apptest.PushProject()
	c.SyncURL = peer.URL + "/tokens"
	app := apptest.New(t, apptest.Options{Jobs: true, Push: c}).SignIn(t)
	t.Run("the service hears of signing in and signing out (PUSH-09)", func(t *testing.T) {
		check.Equal(t, <-calls, "POST /tokens Bearer api-key", "on sign-in")
		app.Post(t, "/signout", nil)
		check.Equal(t, <-calls, "DELETE /tokens Bearer api-key", "on sign-out")
	})
}

func TestTheWorkerIsAtTheRoot(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	got := app.Get(t, "/sw.js")
	if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || got.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("PUSH-10 %d %v", got.Status, got.Header)
	}
	check.Contains(t, got.Body, "showNotification", "PUSH-10 the worker shows no message")
}
