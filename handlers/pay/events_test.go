package pay_test

import (
	"bufio"
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// follower is a browser that follows a payment.
type follower struct {
	*http.Response

	t     testing.TB
	lines *bufio.Scanner
}

func follow(t testing.TB, app *apptest.App, path string) *follower {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // a silent stream fails the test
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, app.URL+path, nil)
	check.Must(t, err)
	res, err := app.Client.Do(req)
	check.Must(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return &follower{Response: res, t: t, lines: bufio.NewScanner(res.Body)}
}

// next returns the next message, or "" if the stream has ended.
func (f *follower) next() string {
	f.t.Helper()
	var message []string
	for f.lines.Scan() {
		data, ok := strings.CutPrefix(f.lines.Text(), "data: ")
		switch {
		case ok:
			message = append(message, data)
		case f.lines.Text() == "" && len(message) > 0:
			return strings.Join(message, "\n")
		case f.lines.Text() != "" && !strings.HasPrefix(f.lines.Text(), ":") && !strings.HasPrefix(f.lines.Text(), "retry: "):
			f.t.Errorf("unexpected line in the stream: %q", f.lines.Text())
		}
	}
	return ""
}

// shows fails the test unless the next message shows a view.
func (f *follower) shows(view string) {
	f.t.Helper()
	if got := f.next(); !strings.HasPrefix(got, "<section") || !strings.Contains(got, `data-state="`+view+`"`) {
		f.t.Fatalf("the stream shows %.200q, want %s", got, view)
	}
}

func (f *follower) ends() {
	f.t.Helper()
	check.MustEqual(f.t, f.next(), "", "after its last message the stream sends")
}

func TestAPageLearnsHowItsPaymentEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ number, view string }{
		"approved": {"4111111111111111", "success"}, "declined": {"4000000000000002", "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, answer := make(chan struct{}), make(chan struct{})
			app := apptest.New(t, apptest.Options{Gateway: held(arrived, answer, name)})
			id := app.Order(t)
			paid := make(chan struct{})
			go func() { defer close(paid); app.Post(t, "/pos/panezski/"+id, card("card", tt.number)) }()
			<-arrived
			one, two := follow(t, app, "/pos/panezski/"+id+"/events"), follow(t, app, "/pos/panezski/"+id+"/events")
			if one.StatusCode != http.StatusOK || one.Header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%d %q", one.StatusCode, one.Header.Get("Content-Type"))
			}
			one.shows("waiting")
			two.shows("waiting")
			close(answer)
			one.shows(tt.view)
			two.shows(tt.view)
			if tt.view == "failure" {
				one.ends()
			}
			<-paid
		})
	}
}

// held returns a gateway that answers a payment only when told to.
func held(arrived, answer chan struct{}, outcome string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/api/pay" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		close(arrived)
		<-answer
		w.Header().Set("Content-Type", "application/json")
		text := `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T1"}`
		if outcome == "declined" {
			text = `{"status":{"responsetype":"0","statuscode":"5","errordesc":"No"},"transactionid":"T1"}`
		}
		_, _ = w.Write([]byte(text))
	})
}

func TestAnOrderIsFollowedUntilItIsDone(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	paid(t, app, id, "success", time.Minute)
	f := follow(t, app, "/pos/panezski/"+id+"/events")
	first := f.next()
	page := app.Part(t, "/pos/panezski/"+id, "<section").Body
	check.Equal(t, first, page, "the stream shows what the page shows (PAY-44 DOC-13)")
	app.Live.Announce(id) // nothing has changed, so nothing is sent
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET table_name = E'9\r\revent: x' WHERE id = $1", id)
	app.Live.Announce(id)
	check.Contains(t, f.next(), "Table 9\n\nevent: x", "the stream shows")
	dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", id)
	app.Live.Announce(id)
	f.shows("completed")
	f.ends()
}

func TestALostEventDoesNotKeepAPayerWaiting(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'processing' WHERE id = $1", id)
	f := follow(t, app, "/pos/panezski/"+id+"/events")
	f.shows("waiting")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'error' WHERE id = $1", id) // without an announcement
	f.shows("failure")
	f.ends()
}

func TestEveryMoveIsAnnounced(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	changed, cancel := app.Live.Subscribe(id)
	defer cancel()
	path := "/pos/panezski/" + id
	for _, move := range []struct {
		name string
		make func()
	}{
		{"a decline", func() { app.Post(t, path, card("card", "4000 0000 0000 0002", "key", "1")) }},
		{"Try Again", func() { app.Post(t, path+"/retry", nil) }},
		{"a challenge", func() { app.Post(t, path, card("card", "4000 0000 0000 3220", "key", "2")) }},
		{"a challenge given up", func() { app.Post(t, path+"/retry", nil) }},
		{"an approval", func() { app.Post(t, path, card("key", "3")) }},
		{"a refund", func() {
			_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, By: "test"})
			check.NoError(t, err)
		}},
	} {
		select { // drains repeated announcements
		case <-changed:
		default:
		}
		move.make()
		select {
		case <-changed:
		case <-time.After(25 * time.Second):
			t.Errorf("%s is not announced", move.name)
		}
	}
}

// BenchmarkOpenStreams reports the memory that an open stream takes, including the test's end of it.
func BenchmarkOpenStreams(b *testing.B) {
	const streams = 1000
	app := apptest.New(b, apptest.Options{Streams: streams})
	id := app.Order(b)
	paid(b, app, id, "success", time.Minute)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		open := make([]*follower, 0, streams)
		for range streams {
			f := follow(b, app, "/pos/panezski/"+id+"/events")
			f.shows("status")
			open = append(open, f)
		}
		for range 4 { // each collection halves oversized stacks
			runtime.GC()
		}
		runtime.ReadMemStats(&after)
		used := (after.HeapInuse + after.StackInuse) - (before.HeapInuse + before.StackInuse)
		b.ReportMetric(float64(used)/streams/1024, "KB/stream")
		b.ReportMetric(float64(after.StackInuse-before.StackInuse)/streams/1024, "KB-stack/stream")
		for _, f := range open {
			_ = f.Body.Close()
		}
	}
}

func TestWhoGetsNoStream(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for status, set := range map[string]func(id string){
		"new (PAY-45)": func(string) {},
		"error":        func(id string) { dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'error' WHERE id = $1", id) },
		"expired": func(id string) {
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'expired' WHERE id = $1", id)
		},
		"paid":      func(id string) { paid(t, app, id, "paid", time.Hour) },
		"completed": func(id string) { paid(t, app, id, "completed", time.Hour) },
	} {
		t.Run(status, func(t *testing.T) {
			id := app.Order(t)
			set(id)
			if got := app.Get(t, "/pos/panezski/"+id+"/events"); got.Status != http.StatusNoContent || got.Body != "" {
				t.Errorf("%d %q", got.Status, got.Body)
			}
			check.Lacks(t, app.Get(t, "/pos/panezski/"+id).Body, "/events", "the page asks for a stream")
		})
	}
	id := app.Order(t)
	paid(t, app, id, "success", time.Minute)
	for _, path := range []string{"/pos/panezski/zzz", "/pos/moollar/" + id, "/pos/nosuch/" + id, "/pos/panezski/demo"} {
		app.Get(t, path+"/events").Want(t, http.StatusNotFound, path, "No such transaction")
	}
	app.Do(t, http.MethodHead, "/pos/panezski/"+id+"/events", nil, nil).Want(t, http.StatusNoContent, "HEAD")
	check.Contains(t, app.Get(t, "/pos/panezski/"+id).Body, `data-events="/pos/panezski/`+id+`/events"`,
		"PAY-44 the page of a paid order asks for no stream")
	check.Lacks(t, app.Get(t, "/pos/panezski/demo?paid=1").Body, "/events", "PAY-47 the demo asks for a stream")
}

func TestOneAddressCannotTakeEveryStream(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Streams: 2})
	id := app.Order(t)
	paid(t, app, id, "success", time.Minute)
	path := "/pos/panezski/" + id + "/events"
	first, second := follow(t, app, path), follow(t, app, path)
	first.shows("status")
	second.shows("status")
	full := app.Get(t, path)
	if full.Status != http.StatusServiceUnavailable || full.Header.Get("Retry-After") == "" {
		t.Fatalf("a third stream: %d", full.Status)
	}
	_ = first.Body.Close() // the customer leaves
	apptest.Eventually(t, "the slot is free again", func() bool {
		third := follow(t, app, path)
		defer third.Body.Close()
		return third.StatusCode == http.StatusOK
	})
}

func TestAStopEndsTheStreams(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	paid(t, app, id, "success", time.Minute)
	f := follow(t, app, "/pos/panezski/"+id+"/events")
	f.shows("status")
	app.Live.Close()
	f.ends()
}
