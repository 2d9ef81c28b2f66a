package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

const (
	canaryPassword  = "Canary-pass-4711"
	canaryWrong     = "Canary-wrong-4712"
	canaryNext      = "Canary-next-4713"
	canaryTyped     = "canary typed 4714"
	canaryPaylink   = "Canary-paylink-4716"
	plantedPassword = "Canary-planted-4715"
)

// TestSecretsOfPeopleStayNowhere signs up, in and out, resets a password and lets a session time out. Then it searches each file of the
// data folder, and the log at level debug, for the passwords, the tokens, the sessions' ids and everything that was typed. The link to a
// new password is only in its mail, which is stored if there is no mail server.
func TestSecretsOfPeopleStayNowhere(t *testing.T) {
	t.Parallel()
	dir := demoFolder(t)
	p := start(t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dir, "LOG_LEVEL": "debug"}, "serve")
	c := newCustomer(t, p.ready())
	conn := connectInside(t, dir, false)
	post := func(path, want string, fields ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i+1 < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		c.send(http.MethodPost, path, formType, form.Encode(), want)
	}
	var secrets []string
	session := func() {
		t.Helper()
		site, err := url.Parse(c.site)
		check.Must(t, err)
		for _, cookie := range c.client.Jar.Cookies(site) {
			if !strings.HasPrefix(cookie.Name, "forecourt-style-") { // that one only names a version of a file
				secrets = append(secrets, cookie.Value)
			}
		}
	}

	post("/signup", "303", "email", "ann@example.com", "password", canaryPassword, "confirm", canaryPassword)
	session()
	post("/signin", "422", "email", "ann@example.com", "password", canaryWrong)
	c.send(http.MethodPost, "/signin", "application/json", `{"email":"ann@example.com","password":"`+canaryPassword+`"}`, "200")
	session()
	post("/account", "422", "do", "password", "old-password", canaryWrong, "password", canaryNext, "confirm", canaryNext)
	dbtest.Exec(t, conn, "UPDATE session SET seen_at = now() - interval '1 hour'")
	post("/account", "401", "do", "name", "name", canaryTyped, "old-password", canaryPassword)
	post("/reset", "303", "email", "ann@example.com")
	var token string
	apptest.Eventually(t, "the letter with the link", func() bool {
		for _, plain := range query(t, conn, "SELECT plain FROM mail WHERE kind = 'password reset'") {
			token = regexp.MustCompile(`/reset/(\S+)`).FindStringSubmatch(plain)[1]
		}
		return token != ""
	})
	post("/reset/"+token, "303", "password", canaryNext, "confirm", canaryNext)
	post("/signin", "303", "email", "ann@example.com", "password", canaryNext)
	session()
	if len(secrets) != 6 || len(token) < 40 {
		t.Fatalf("sessions and marks of a known browser %d, token %d characters", len(secrets), len(token))
	}

	screen := connected(t, c.site)
	dbtest.Exec(t, conn, "UPDATE account SET name = $1", plantedPassword)
	hash := sha256.Sum256([]byte(token))
	check.List(t, query(t, conn, "SELECT encode(token_hash, 'hex') FROM password_reset"), []string{hex.EncodeToString(hash[:])}, "kept tokens")
	check.Must(t, conn.Close(t.Context()))
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	logged := strings.Join(p.all, "\n") + p.stderr.String()
	check.Contains(t, logged, `"route":"/reset/{token}"`, "the log is not at level debug")

	secrets = append(append(secrets, screen...), canaryPaylink, canaryPassword, canaryWrong, canaryNext, canaryTyped)
	var spellings []string
	for _, text := range secrets {
		spellings = append(
			spellings, text, url.QueryEscape(text), hex.EncodeToString([]byte(text)), base64.RawStdEncoding.EncodeToString([]byte(text))[:12],
		)
	}
	f := newFinder(append(spellings, token, plantedPassword)...)
	files, read := f.inFolder(t, dir)
	inLog := f.in([]byte(logged))
	t.Logf("searched %d MB of files, %d bytes of log", read>>20, len(logged))
	for _, text := range spellings {
		if len(files[text]) > 0 || inLog[text] {
			t.Errorf("%q: files %v, log %t", text, files[text], inLog[text])
		}
	}
	if inLog[token] {
		t.Error("the log holds the token")
	}
	if len(files[token]) == 0 || len(files[plantedPassword]) == 0 {
		t.Error("the search misses what was planted")
	}
}

// connected stores a gateway account with canaryPaylink, connects a kitchen screen, and returns the screen's cookie and the token of its
// link.
func connected(t *testing.T, site string) (secrets []string) {
	t.Helper()
	staff, owner, screen := newCustomer(t, site), newCustomer(t, site), newCustomer(t, site)
	for person, email := range map[*customer]string{staff: demo.StaffEmail, owner: demo.Email} {
		person.signIn(email, demo.Password, "303")
	}
	staff.send(
		http.MethodPost, "/staff/accounts/sabona", formType,
		url.Values{"mode": {"test"}, "do": {"keep"}, "mid": {"sabona-1"}, "password": {canaryPaylink}}.Encode(), "303",
	)
	shown := owner.send(http.MethodPost, "/desk/panezski/screens", formType, url.Values{"do": {"connect"}, "name": {"Grill"}}.Encode(), "200")
	token := regexp.MustCompile(`/kitchen/([A-Z0-9]{20,})`).FindStringSubmatch(shown)[1]
	screen.send(http.MethodPost, "/kitchen/"+token, formType, "", "303")
	address, err := url.Parse(site)
	check.Must(t, err)
	return []string{token, screen.client.Jar.Cookies(address)[0].Value}
}
