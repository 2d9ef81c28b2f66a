package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// lines is a log that a test reads while the site writes.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was logged since the last call.
func (l *lines) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

func TestAttacksLeaveATrace(t *testing.T) {
	t.Parallel()
	log := &lines{}
	o := behindProxy()
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	app := apptest.New(t, o)
	owner := newcomer(t, app, home)
	owner.SignIn(t)
	id := accountOf(t, app, demo.Email).String()
	stranger := newcomer(t, app, strangers)
	ann := newcomer(t, app, home)
	ann.SignUp(t, "ann@example.com")
	who := "who=" + accountOf(t, app, "ann@example.com").String()
	merchant := dbtest.Value[string](t, app.Pool, "SELECT uuid::text FROM merchant LIMIT 1")
	hashed := regexp.MustCompile(`who=[0-9a-f]{16} `)
	const event = `msg="security event"`
	for _, tt := range []struct {
		what string
		do   func() apptest.Answer
		has  []string
	}{
		{"a wrong password", func() apptest.Answer { return stranger.signIn(t, demo.Email, wrong) }, []string{`event="sign-in failed"`, "who=" + id}},
		{"another", func() apptest.Answer { return stranger.signIn(t, demo.Email, wrong) }, []string{`event="sign-in failed"`}},
		{"an unknown address", func() apptest.Answer { return stranger.signIn(t, "nobody@example.com", wrong) }, []string{`event="sign-in failed"`}},
		{"a wrong proof", func() apptest.Answer {
			dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - interval '11 minutes', proved_at = NULL")
			kept := owner.post(t, "/desk/panezski/screens", url.Values{"do": {"connect"}, "name": {"Grill"}})
			page := owner.Get(t, kept.Location).Body
			action := regexp.MustCompile(`action="(/desk/panezski/screens\?kept=[^"]+)"`).FindStringSubmatch(page)
			if action == nil {
				t.Fatalf("no form to prove with in %.2000s", page)
			}
			return owner.post(t, strings.ReplaceAll(action[1], "&amp;", "&"), url.Values{"password": {wrong}})
		}, []string{`event="proof failed"`, "who=" + id}},
		{"a page of staff", func() apptest.Answer { return owner.Get(t, "/staff/payments") }, []string{`event="staff refused"`, "who=" + id}},
		{"a page of another role", func() apptest.Answer {
			dbtest.Exec(t, app.Pool, "UPDATE shop_member SET role = 'viewer' WHERE shop_code = 'panezski' AND account_id = $1", id)
			return owner.Get(t, "/desk/panezski/team")
		}, []string{`event="role refused"`, "who=" + id, "shop=panezski"}},
		{"a wrong bearer token", func() apptest.Answer {
			return app.Do(t, http.MethodGet, "/api/batch/none", nil, http.Header{"Authorization": {"Bearer guessed"}})
		}, []string{`event="token refused"`}},
		{"a wrong key of an invitation", func() apptest.Answer {
			return stranger.post(t, "/onboarding/tokengen/"+demo.InviteID, url.Values{"email": {demo.Email}, "secretKey": {"guessed"}, "password": {again}})
		}, []string{`event="token refused"`}},
		{"a wrong present password", func() apptest.Answer {
			return ann.post(t, "/account", url.Values{"do": {"password"}, "old-password": {wrong}, "password": {again}, "confirm": {again}})
		}, []string{`event="proof failed"`, who}},
		{"a wrong password for two-step sign-in", func() apptest.Answer {
			return ann.post(t, "/account/two-step", url.Values{"do": {"start"}, "password": {wrong}})
		}, []string{`event="proof failed"`, who}},
		{"a wrong first code", func() apptest.Answer {
			ann.post(t, "/account/two-step", url.Values{"do": {"start"}, "password": {demo.Password}}).Must(t, in, "the set-up")
			return ann.post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {"000000"}})
		}, []string{`event="proof failed"`, who}},
		{"a wrong code beyond the limit", func() apptest.Answer {
			dbtest.Exec(t, app.Pool, "UPDATE throttle SET count = 5 WHERE subject = 'code device'")
			return ann.post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {"000000"}})
		}, []string{"event=limited", who}},
		{"another's desk", func() apptest.Answer { return ann.get(t, "/desk/moollar") }, []string{`event="record refused"`, who}},
		{"another's dashboard", func() apptest.Answer { return ann.get(t, "/merchant/admin/"+merchant+"/products") },
			[]string{`event="record refused"`, who}},
		{"another's record", func() apptest.Answer { return ann.get(t, "/compliance/demo") }, []string{`event="record refused"`, who}},
		{"a wrong key of a merchant", func() apptest.Answer {
			return app.Do(t, http.MethodPost, "/gateway/"+merchant+"/pay", strings.NewReader("{}"),
				http.Header{"Content-Type": {"application/json"}})
		}, []string{`event="token refused"`, "who=" + merchant}},
		{"many wrong passwords", func() (got apptest.Answer) {
			for range 4 {
				got = stranger.signIn(t, demo.Email, wrong)
			}
			return got
		}, []string{"event=limited"}},
	} {
		log.take()
		got := tt.do()
		said := log.take()
		for _, part := range append(tt.has, event, "network=", "request="+got.Header.Get("X-Request-Id")) {
			check.Contains(t, said, part, "%s (%d): the log", tt.what, got.Status)
		}
		check.Equal(t, strings.Count(said, event), max(1, strings.Count(tt.what, "many")*4), "%s: events", tt.what)
		check.Lacks(t, said, "@", "%s: the log has an address", tt.what)
		if tt.what == "an unknown address" && !hashed.MatchString(said) {
			t.Errorf("%s: the log has no hash of it: %s", tt.what, said)
		}
	}
	log.take()
	began := time.Now()
	for range 400 {
		owner.Get(t, "/staff/payments")
	}
	most := 200 + 10*(int(time.Since(began).Seconds())+1) // at once, and a second
	if n := strings.Count(log.take(), event); n < 199 || n > most {
		t.Errorf("400 events make %d lines, want at most %d", n, most)
	}
	check.Contains(t, owner.Get(t, "/account/security").Body, "A wrong password was entered, 6 times within the hour", "the owner's list")
}

func TestTheOwnerLearnsOfAPasswordWithoutACode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	person := app.NewPerson(t).SignUp(t, "ann@example.com")
	id := accountOf(t, app, "ann@example.com")
	dbtest.Exec(t, app.Pool, "INSERT INTO half_session (id_hash, account_id, created_at) SELECT sha256(n::text::bytea), $1, now() - interval '11 minutes' FROM generate_series(1, 3) n", id)
	_, err := db.New(app.Pool).HalfSessionPrune(t.Context(), 10*time.Minute, 100)
	check.Must(t, err)
	check.Contains(t, person.Get(t, "/account/security").Body, "The right password was entered, but no code, 3 times within the hour", "the list")
}
