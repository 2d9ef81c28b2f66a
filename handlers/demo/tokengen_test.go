package demo_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/invite"
	"forecourt/internal/upkeep/demo"
)

const page = "/onboarding/tokengen/" + demo.InviteID

var token = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

func values(more ...string) url.Values {
	form := url.Values{"email": {demo.Email}, "secretKey": {demo.InviteKey}, "password": {"Blue-kettle-7"}, "userIndex": {"0"}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func TestAnInvitedUserGetsAToken(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, page)
	v.Has("Checking link validity...", "Email ID", "Secret Key", "Password", "Generate Token")
	for _, name := range []string{"email", "secretKey", "password"} {
		v.Shows("input", "name="+name, "required=") // TOKEN-03 TOKEN-11
	}
	foot := v.Texts("footer")[0]
	check.Contains(t, foot, "Privacy policy Terms and conditions Financial services guide (PDF)", "the footer has legal links (TOKEN-09)")
	check.Contains(t, foot, "holds Australian Financial Services Licence No. ", "the page states the provider's licence (TOKEN-10)")
	v.Shows("button", "data-busy=Generating...") // TOKEN-05
	check.Equal(t, v.Header.Get("Cache-Control"), "no-store", "the page may be kept")
	v.Type("email", " Demo@Forecourt.test ").Type("secretKey", demo.InviteKey).Type("password", "Blue-kettle-7").Press("Generate Token")
	v.Has("Bearer Token generated", "not shown again")
	t.Run("an invited user gets one token (ROUTE-23 SEC-04 TOKEN-01 TOKEN-06 TOKEN-20 TOKEN-26)", func(t *testing.T) {
		found := token.FindAllString(v.Text(), -1)
		check.Equal(t, len(found), 1, "tokens %q in %s", found, v.Text())
	})
	t.Run("the answer is not kept, and holds no secret (TOKEN-25)", func(t *testing.T) {
		if v.Header.Get("Cache-Control") != "no-store" || strings.Contains(v.Body, "Blue-kettle-7") || strings.Contains(v.Body, demo.InviteKey) {
			t.Error("the answer may be kept, or holds a secret")
		}
	})
	again := app.Visit(t, page)
	again.Has("Token is already generated for this user. Please contact Forecourt.").HasNot("Email ID", "Whoever sent you this one")
	again.Want(t, http.StatusGone, "TOKEN-15 the used link")
	check.Equal(t, token.MatchString(again.Body), false, "TOKEN-15 the used link")
	app.Post(t, page, values()).Want(t, http.StatusGone, "TOKEN-15 the form again", "Token is already generated")
}

func TestTheScriptRequestsThePartThatChanges(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	got := app.Part(t, page, "<").Want(t, http.StatusOK, "TOKEN-02 the check's answer", "Secret Key")
	check.Lacks(t, got.Body, "Checking link", "TOKEN-02 the check's answer")
	check.Contains(t, app.Get(t, page).Body, `hx-trigger="load"`, "TOKEN-02 the page does not check the link")
}

func TestLinksThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, before, path string
		status             int
		says               string
	}{
		{"an unknown link (TOKEN-08 TOKEN-14)", "", "/onboarding/tokengen/AAAAAAAAAAAAAAAAAAAAAAAAAA", 404, "Invalid or expired link."},
		{"a link cut short (TOKEN-14)", "", page[:len(page)-1], 404, "Invalid or expired link."},
		{"a link with markup (TOKEN-14)", "", "/onboarding/tokengen/" + url.PathEscape("<b>x</b>"), 404, "Invalid or expired link."},
		{"a link with NUL (TOKEN-14)", "", "/onboarding/tokengen/%00", 404, "Invalid or expired link."},
		{"an expired link (TOKEN-14)", "UPDATE invite SET expires_at = now()", page, 404, "Invalid or expired link."},
		{"a revoked link (TOKEN-14)", "UPDATE invite SET revoked_at = now()", page, 404, "Invalid or expired link."},
		{"without the list of users (TOKEN-13)", "DELETE FROM security_document", page, 404, "Invalid document"},
		{"the check fails (TOKEN-16)", "ALTER TABLE invite RENAME TO away", page, 500, "Error checking document. Please try again."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			if tt.before != "" {
				dbtest.Exec(t, app.Owner(t), tt.before)
			}
			v := app.Visit(t, tt.path)
			v.Has(tt.says).HasNot("Email ID")
			if v.Status != tt.status || v.Find("input") != nil || v.Find("h1") == nil {
				t.Errorf("TOKEN-07 status %d", v.Status)
			}
		})
	}
}

func TestFormsThatMakeNoToken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, before string
		form         url.Values
		status       int
		says         string
	}{
		{"no email (TOKEN-11)", "", values("email", " "), 422, "Enter your email"},
		{"no secret key (TOKEN-11)", "", values("secretKey", ""), 422, "Enter the secret key"},
		{"no password (TOKEN-11)", "", values("password", ""), 422, "Enter a password"},
		{"another secret key (TOKEN-12)", "", values("secretKey", "guessed"), 422, "Invalid email or secret key."},
		{"the store fails (TOKEN-17)", "ALTER TABLE throttle RENAME TO away", values(), 500, "Error generating token. Please try again."},
		{"the list went away (TOKEN-18)", "DELETE FROM security_document", values(), 404, "Document not found"},
		{"no place (TOKEN-18)", "", values("userIndex", "x"), 404, "Document not found"},
		{"a password of 2,000 bytes", "", values("password", strings.Repeat("x", 2000)), 422, "at most 1,024 bytes"},
		{"a password of 10 MB", "", values("password", strings.Repeat("x", 10<<20)), 413, "at most 1,024 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			if tt.before != "" {
				dbtest.Exec(t, app.Owner(t), tt.before)
			}
			got := app.Post(t, page, tt.form)
			if got.Status != tt.status || !strings.Contains(got.Body, tt.says) || token.MatchString(got.Body) {
				t.Errorf("%d %s", got.Status, got.Body)
			}
			check.Lacks(t, got.Body, "Blue-kettle", "TOKEN-25 the page repeats a secret")
			check.Lacks(t, got.Body, "guessed", "TOKEN-25 the page repeats a secret")
		})
	}
}

func TestAnUnknownEmailAndAWrongKeyGetTheSameAnswer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	email := app.Post(t, page, values("email", "bob@example.com"))
	key := app.Post(t, page, values("secretKey", "guessed"))
	check.Equal(t, strings.ReplaceAll(email.Body, "bob@example.com", demo.Email), key.Body,
		"an unknown email and a wrong key get the same answer (SEC-10)")
	check.Equal(t, email.Status, key.Status, "an unknown email and a wrong key get the same answer (SEC-10)")
}

func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{InviteLimits: invite.Limits{Token: 2}})
	for range 2 {
		app.Post(t, page, values("secretKey", "guessed")).Must(t, http.StatusUnprocessableEntity, "/onboarding/tokengen/demo-invite")
	}
	app.Post(t, page, values()).Want(t, http.StatusTooManyRequests, "after two wrong tries", "Please try again in").HasHeader(t, "Retry-After",
		"…")
}

func TestFiftyFormsAtOnceMakeOneToken(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{InviteLimits: invite.Limits{Token: 100}})
	var made atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			got := app.Post(t, page, values())
			switch {
			case got.Status == http.StatusOK && token.MatchString(got.Body):
				made.Add(1)
			case got.Status != http.StatusGone && got.Status != http.StatusTooManyRequests:
				t.Errorf("%d %s", got.Status, got.Body)
			}
		})
	}
	all.Wait()
	check.Equal(t, made.Load(), 1, "tokens")
}

func TestTheJSONCall(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	check := func(path string) apptest.Answer {
		return app.Do(t, http.MethodGet, path, nil, http.Header{"Accept": {"application/json"}})
	}
	t.Run("the check answers with the user's place, or why there is none (TOKEN-23)", func(t *testing.T) {
		if got := check(page); got.Status != http.StatusOK || got.Body != "0\n" {
			t.Errorf("the first user's place: %d %s", got.Status, got.Body)
		}
		if got := check("/onboarding/tokengen/unknown-link"); got.Status != http.StatusNotFound || got.Body != "\"Invalid or expired link.\"\n" {
			t.Errorf("an unknown link: %d %s", got.Status, got.Body)
		}
	})
	type shape struct {
		Success *bool
		Token   *string
		Message *string
	}
	post := func(value any) (int, shape) {
		got := app.PostJSON(t, page, value)
		answer := apptest.JSON[shape](t, got)
		if fields := apptest.JSON[map[string]json.RawMessage](t, got); len(fields) != 3 || answer.Success == nil || answer.Token == nil || answer.Message == nil {
			t.Fatalf("TOKEN-22 the answer has the fields %s", got.Body)
		}
		return got.Status, answer
	}
	body := map[string]any{"email": demo.Email, "password": "Blue-kettle-7", "secretKey": "guessed", "userIndex": 0}
	if status, got := post(body); status != http.StatusUnprocessableEntity || *got.Success || *got.Token != "" || *got.Message != "Invalid email or secret key." {
		t.Errorf("TOKEN-12 %d %s", status, *got.Message)
	}
	body["secretKey"], body["password"] = demo.InviteKey, ""
	if status, got := post(body); status != http.StatusUnprocessableEntity || *got.Message != "Enter a password" {
		t.Errorf("TOKEN-11 %d %s", status, *got.Message)
	}
	body["password"], body["userIndex"] = "Blue-kettle-7", "0"
	t.Run("the right values get a token (TOKEN-21 TOKEN-22 TOKEN-23)", func(t *testing.T) {
		if status, got := post(body); status != http.StatusOK || !*got.Success || !token.MatchString(*got.Token) || *got.Message != "Bearer Token generated" {
			t.Errorf("%d %s", status, *got.Message)
		}
	})
	delete(body, "userIndex")
	if status, got := post(body); status != http.StatusGone || !strings.HasPrefix(*got.Message, "Token is already generated") {
		t.Errorf("TOKEN-15 %d %s", status, *got.Message)
	}
	for wrong, status := range map[string]int{"": 400, "{": 400, "[]": 400, `{"email":1}`: 422, `{"password":{}}`: 422, `{"email":"a","Email":"b"}`: 400} {
		got := app.Do(t, http.MethodPost, page, strings.NewReader(wrong), http.Header{"Content-Type": {"application/json"}})
		if got.Status != status || !strings.Contains(got.Body, `"error"`) {
			t.Errorf("%q: %d %s", wrong, got.Status, got.Body)
		}
	}
}
