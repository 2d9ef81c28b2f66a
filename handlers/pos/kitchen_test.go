package pos_test

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

const screen = "/pos/panezski/kitchen"

// paid orders a croissant from the bakery and a flat white from the bar, and pays for them.
func paid(t *testing.T, app *apptest.App, table string) string {
	t.Helper()
	answer := app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "table": table, "source": "diy-pos",
		"order": []map[string]any{{"name": "Butter Croissant", "qty": 2}, {"name": "Flat White", "qty": 1}},
	})
	trx := apptest.JSON[struct{ TrxID string }](t, answer).TrxID
	answer = app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	})
	answer.Must(t, http.StatusOK, "pay")
	return trx
}

// locations returns the locations where the two items of paid are made.
func locations(t *testing.T, app *apptest.App, trx string) []string {
	t.Helper()
	locs := dbtest.Value[[]string](t, app.Pool, "SELECT array_agg(DISTINCT loc ORDER BY loc) FROM order_line WHERE transaction_id = $1", trx)
	check.MustEqual(t, len(locs), 2, "locations %q", locs)
	return locs
}

func status(t *testing.T, app *apptest.App, trx string) string {
	t.Helper()
	return apptest.JSON[struct{ Status string }](t, app.Get(t, "/api/pos/panezski/"+trx)).Status
}

func TestAnOrderIsDoneLocationByLocation(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	locs := locations(t, app, trx)
	v := app.Visit(t, screen).Has("Table 7", "2 Butter Croissant", "1 Flat White")
	v.Press("Done " + locs[0])
	check.Equal(t, status(t, app, trx), "success", "PAY-54 with one location left the order")
	v.Press("Done " + locs[1]).Has("Recently done")
	check.Equal(t, status(t, app, trx), "completed", "an order is completed when its last location is done (PAY-38)")
	v.Press("Undo").Has("Done ")
	check.Equal(t, status(t, app, trx), "success", "after Undo the order")
	for range 2 {
		v = v.Press("Done " + locs[0]).Press("Undo")
	}
	ready := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop_event WHERE kind = 'order.ready' AND subject = $1", trx)
	check.Equal(t, ready, 2, "events, one for each location")
	for range 2 {
		v = v.Press("Done " + locs[0]).Press("Undo")
	}
	done := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop_event WHERE kind = 'order.done' AND subject = $1", trx)
	check.Equal(t, done, 1, "the order is done once")
}

func TestTwoTapsAtOnceCompleteAnOrder(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for range 5 {
		trx := paid(t, app, "7")
		both := make(chan int)
		for _, loc := range locations(t, app, trx) {
			go func() { both <- app.Post(t, screen, url.Values{"done": {trx + " " + loc}}).Status }()
		}
		for range 2 {
			check.Equal(t, <-both, http.StatusSeeOther, "a tap")
		}
		check.Equal(t, status(t, app, trx), "completed", "both locations are done and the order")
	}
}

func TestTapsThatDoNothing(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	loc := locations(t, app, trx)[0]
	unpaid := app.Order(t)
	oat := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM option_choice WHERE shop_code = 'panezski' AND name = 'Oat'")
	for _, c := range []struct {
		name, path string
		form       url.Values
		want       int
	}{
		{"a second time", screen, url.Values{"done": {trx + " " + loc}}, http.StatusSeeOther},
		{"another business's order", "/pos/moollar/kitchen", url.Values{"done": {trx + " " + loc}}, http.StatusNotFound},
		{"an order that is not paid", screen, url.Values{"done": {unpaid + " " + loc}}, http.StatusNotFound},
		{"no such order", screen, url.Values{"done": {"AAAAAAAAAAAAAAAAAAAAAA " + loc}}, http.StatusNotFound},
		{"no such location", screen, url.Values{"done": {trx + " Cellar"}}, http.StatusSeeOther},
		{"another business's option", "/pos/moollar/kitchen", url.Values{"out": {oat}}, http.StatusNotFound},
		{"no such option", screen, url.Values{"on": {"999999"}}, http.StatusNotFound},
		{"no order at all", screen, url.Values{"done": {""}}, http.StatusNotFound},
		{"a broken text", screen, url.Values{"done": {trx + "\x00 \xff"}}, http.StatusNotFound},
		{"another business's item", "/pos/moollar/kitchen", url.Values{"sellout": {"1"}}, http.StatusNotFound},
		{"no item", screen, url.Values{"sellout": {"x"}}, http.StatusNotFound},
		{"no button", screen, url.Values{}, http.StatusBadRequest},
	} {
		before := app.Post(t, screen, url.Values{"done": {trx + " " + loc}}).Status
		if got := app.Post(t, c.path, c.form).Status; got != c.want || before != http.StatusSeeOther {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	check.Equal(t, status(t, app, trx), "success", "the order")
}

func TestOnlyTheAdminsOfABusinessSeeItsKitchen(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	if got := app.Get(t, screen); got.Status != http.StatusOK || !strings.Contains(got.Body, "Sign in") || strings.Contains(got.Body, "Menu today") {
		t.Errorf("signed out: %d", got.Status)
	}
	app.SignUp(t, "other@example.com")
	foreign, missing := app.Get(t, screen), app.Get(t, "/pos/nobody/kitchen")
	foreign.Want(t, http.StatusNotFound, "somebody else's kitchen")
	check.Equal(t, missing.Status, foreign.Status, "somebody else's kitchen")
	app.Post(t, screen, url.Values{"require": {"on"}}).Want(t, http.StatusNotFound, "a tap in somebody else's kitchen")
	app.Get(t, screen+"/events").Want(t, http.StatusNotFound, "somebody else's events")
	dbtest.Exec(t, app.Pool, `INSERT INTO shop_member (shop_code, account_id)
		SELECT 'panezski', id FROM account WHERE email = 'other@example.com'`)
	app.Get(t, screen).Want(t, http.StatusOK, "who is in the admins list sees the kitchen (SEC-08)", "Menu today")
}

func TestSoldOutCountsOnTheMenuAndForOrders(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, screen).Press("On sale: Flat White")
	apptest.Eventually(t, "the menu greys out the item", func() bool {
		return strings.Contains(app.Get(t, "/pos/panezski").Body, "Sold out")
	})
	refused := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "panezski", "table": "1", "order": []map[string]any{{"name": "Flat White", "qty": 1}}})
	refused.Want(t, http.StatusConflict, "an order of a sold-out item", "Flat White")
	app.Visit(t, screen).Press("Sold out: Flat White")
	check.Equal(t, app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "panezski", "table": "1", "order": []map[string]any{{"name": "Flat White", "qty": 1}}}).Status, http.StatusCreated,
		"back on sale")
}

func TestNoKitchenNoCharge(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	change := func(statement string) {
		t.Helper()
		dbtest.Exec(t, app.Pool, statement)
	}
	change("UPDATE shop SET live = true WHERE code = 'panezski'")
	app.Visit(t, screen).Press("Pause ordering without a screen")
	trx := app.Order(t)
	change("UPDATE kitchen_screen SET seen_at = now() - interval '11 minutes'")
	order := map[string]any{"merchantId": "panezski", "table": "1", "order": []map[string]any{{"name": "Flat White", "qty": 1}}}
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusConflict, "an order without a kitchen", "paused")
	pay := map[string]any{"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"}
	app.PostJSON(t, "/api/pay", pay).Want(t, http.StatusConflict, "paying without a kitchen")
	check.Equal(t, len(app.Captures(t, trx)), 0, "paying without a kitchen")
	apptest.Eventually(t, "the menu says that it takes no orders", func() bool { return strings.Contains(app.Get(t, "/pos/panezski").Body, "Ordering is paused") })
	app.Get(t, screen)
	app.PostJSON(t, "/api/pay", pay).Want(t, http.StatusOK, "paying once there is a kitchen again")
	check.Equal(t, len(app.Captures(t, trx)), 1, "paying once there is a kitchen again")
}

func TestTheScreenGetsNewOrdersAndTaps(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	next := watch(t, app, screen+"/events", "")
	next() // the board as it is
	trx := paid(t, app, "9")
	_, got := next()
	check.Contains(t, got, "Table 9", "after a new order the event")
	app.Post(t, screen, url.Values{"done": {trx + " " + locations(t, app, trx)[0]}})
	if _, got := next(); strings.Count(got, `class="ticket"`) != 0 || strings.Count(got, `class="finished"`) != 1 {
		t.Errorf("after a tap the event is %q", got)
	}
}

// watch opens a stream as a browser whose last event was last. It returns a function that waits for the next event and returns its id and
// text.
func watch(t *testing.T, app *apptest.App, path, last string) func() (id, text string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, app.URL+path, nil)
	check.Must(t, err)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := app.Client.Do(req)
	check.Must(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return func() (id, text string) {
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				id = name
			}
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return id, text
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return "", ""
	}
}

// A screen whose script comes late posts all taps at once.
func TestSeveralTapsOfOnePostAllCount(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	one, other := paid(t, app, "5"), paid(t, app, "6")
	form := url.Values{"done": {one + " Bar", other + " Bar", other + " Kitchen"}}
	app.Post(t, screen, form).Want(t, http.StatusSeeOther, "three taps")
	board := app.Get(t, screen).Body
	check.Contains(t, board, `name="done" value="`+one+` Kitchen"`, "the board")
	for _, value := range form["done"] {
		check.Lacks(t, board, `name="done" value="`+value+`"`, "the board")
	}
}

func TestABoardIsNotSentToAScreenThatShowsIt(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	paid(t, app, "5")
	_, address, _ := strings.Cut(app.Get(t, screen).Body, `data-events="`)
	address, _, _ = strings.Cut(address, `"`)
	address = html.UnescapeString(address)
	fresh, other := watch(t, app, address, ""), watch(t, app, screen+"/events?v=another", "")
	_, got := other()
	check.Contains(t, got, "Table 5", "a screen with another board gets")
	paid(t, app, "6")
	id, got := fresh()
	check.Lacks(t, got, "Table 5", "the screen that shows the board gets")
	check.Contains(t, got, "Table 6", "the screen that shows the board gets")
	back, stale := watch(t, app, address, id), watch(t, app, address, "")
	if _, got := stale(); !strings.Contains(got, "Table 5") || !strings.Contains(got, "Table 6") {
		t.Errorf("the board has changed since the page was made, but a screen gets %q", got)
	}
	paid(t, app, "7")
	if _, got := back(); strings.Contains(got, "Table 6") || !strings.Contains(got, "Table 7") {
		t.Errorf("a screen that reconnects gets %q, want table 7 alone", got)
	}
}

func TestTheStreamEndsWithTheSession(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Do(t, http.MethodHead, screen+"/events", nil, nil).Want(t, http.StatusNoContent, "HEAD on a signed-in screen's events")
	app.Post(t, "/signout", nil)
	if got := app.Do(t, http.MethodHead, screen+"/events", nil, nil).Status; got == http.StatusNoContent {
		t.Error("HEAD succeeds after signing out")
	}
}

func TestAKitchenPausesOrderingForTenMinutes(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	made := paid(t, app, "7")
	order := map[string]any{"merchantId": "panezski", "source": "diy-pos", "order": []map[string]any{{"name": "Flat White", "qty": 1}}}
	v := app.Visit(t, screen).Press("Pause 10 min").Has("Paused until")
	const within = "SELECT paused_until BETWEEN now() + interval '9 minutes' AND now() + interval '10 minutes' FROM kitchen_screen"
	if paused := dbtest.Value[bool](t, app.Pool, within); !paused {
		t.Error("it is not paused for ten minutes")
	}
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusConflict, "an order of a paused business")
	app.Visit(t, "/desk/panezski").Has("Ordering is paused for a few minutes")
	check.Equal(t, status(t, app, made), "success", "a paid order")
	v.Press("Take orders again").HasNot("Paused until")
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusCreated, "an order afterwards")
	app.Visit(t, screen).Press("Pause 10 min")
	dbtest.Exec(t, app.Pool, "UPDATE kitchen_screen SET paused_until = now()")
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusCreated, "an order after ten minutes")
}

func TestALiveOrderThatNoScreenShowsIsAnEventOnceAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	events := func() int {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop_event WHERE kind = 'order.unseen'")
	}
	paid(t, app, "1")
	check.Equal(t, events(), 0, "test orders")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	paid(t, app, "2")
	paid(t, app, "3")
	check.Equal(t, events(), 1, "orders within an hour")
	dbtest.Exec(t, app.Pool, "UPDATE shop_event SET happened_at = happened_at - interval '61 minutes'")
	paid(t, app, "4")
	check.Equal(t, events(), 2, "an order an hour later")
	app.Visit(t, screen)
	dbtest.Exec(t, app.Pool, "UPDATE shop_event SET happened_at = happened_at - interval '61 minutes'")
	paid(t, app, "5")
	check.Equal(t, events(), 2, "an order that a screen shows")
}

func TestATicketIsPrintedAlone(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	paid(t, app, "8")
	loc := locations(t, app, trx)[0]
	app.Visit(t, screen).Follow("Print").Has("Table 7", loc).HasNot("Table 8", "Done")
	app.Post(t, screen, url.Values{"done": {trx + " " + loc}}).Want(t, http.StatusSeeOther, "a tap")
	app.Get(t, screen+"?"+url.Values{"ticket": {trx}, "loc": {loc}}.Encode()).Want(t, http.StatusNotFound, "the ticket of what is done")
}
