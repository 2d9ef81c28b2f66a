package apptest

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/upkeep/demo"
)

// NewPerson returns the site in another browser, which shares everything except the cookies.
func (a *App) NewPerson(t testing.TB) *App {
	t.Helper()
	jar, err := cookiejar.New(nil)
	check.Must(t, err)
	other := *a
	other.Client = &http.Client{Jar: jar, CheckRedirect: a.Client.CheckRedirect}
	return &other
}

// SignedIn starts a site as New does, and signs in the admin of the demo businesses.
func SignedIn(t testing.TB) *App {
	t.Helper()
	return New(t, Options{}).SignIn(t)
}

// SignIn signs in the admin of the demo businesses, and returns a.
func (a *App) SignIn(t testing.TB) *App {
	t.Helper()
	return a.SignInAs(t, demo.Email)
}

// SignInStaff signs in a member of the staff, and returns a.
func (a *App) SignInStaff(t testing.TB) *App {
	t.Helper()
	return a.SignInAs(t, demo.StaffEmail)
}

// SignInAs signs in the person with an address and the demo's password, and returns a.
func (a *App) SignInAs(t testing.TB, email string) *App {
	t.Helper()
	a.Post(t, "/signin", url.Values{"email": {email}, "password": {demo.Password}}).Must(t, http.StatusSeeOther, "sign-in")
	return a
}

// SignUp creates an account with the demo's password, signs it in, and returns a.
func (a *App) SignUp(t testing.TB, email string) *App {
	t.Helper()
	form := url.Values{"email": {email}, "password": {demo.Password}, "confirm": {demo.Password}}
	a.Post(t, "/signup", form).Must(t, http.StatusSeeOther, "sign-up")
	return a
}

// Mail is a letter in the outbox.
type Mail struct{ Recipient, Bcc, Subject, Plain, HTML, FileName string }

// Mails waits until a site with Jobs has written n letters to an address and returns them in that order. It leaves out letters that
// verify the address, and those about unknown browsers.
func (a *App) Mails(t testing.TB, recipient string, n int) []Mail {
	t.Helper()
	return a.mails(t, recipient, n, false)
}

// Verifications is like Mails for the letters that verify the address.
func (a *App) Verifications(t testing.TB, recipient string, n int) []Mail {
	t.Helper()
	return a.mails(t, recipient, n, true)
}

// Verify verifies the address of the signed-in person, through the first link mailed to it.
func (a *App) Verify(t testing.TB, email string) {
	t.Helper()
	answer := a.Post(t, a.Link(t, a.Verifications(t, email, 1)[0]), nil)
	if answer.Status != http.StatusSeeOther {
		t.Fatalf("verify %s: %d %s", email, answer.Status, answer.Body)
	}
}

func (a *App) mails(t testing.TB, recipient string, n int, verifying bool) []Mail {
	t.Helper()
	var mails []Mail
	Eventually(t, "mails to "+recipient, func() bool {
		mails = nil
		rows, err := a.Pool.Query(t.Context(), `SELECT recipient, bcc, subject, plain, html, file_name FROM mail
			WHERE recipient = $1 AND (kind = $2) = $3 AND kind <> $4 ORDER BY created_at, id`,
			recipient, account.LetterVerify, verifying, account.LetterNewBrowser)
		check.Must(t, err)
		defer rows.Close()
		for rows.Next() {
			var m Mail
			check.Must(t, rows.Scan(&m.Recipient, &m.Bcc, &m.Subject, &m.Plain, &m.HTML, &m.FileName))
			mails = append(mails, m)
		}
		return len(mails) >= n
	})
	return mails
}

// Letter waits for a letter to an address whose subject or text has a part, and returns the last of them.
func (a *App) Letter(t testing.TB, recipient, part string) (m Mail) {
	t.Helper()
	Eventually(t, "a letter to "+recipient+" with "+part, func() bool {
		row := a.Pool.QueryRow(t.Context(), `SELECT recipient, subject, plain FROM mail WHERE recipient = $1 AND plain <> ''
			AND position($2 IN subject || ' ' || plain) > 0 ORDER BY created_at DESC LIMIT 1`, recipient, part)
		return row.Scan(&m.Recipient, &m.Subject, &m.Plain) == nil
	})
	return m
}

// Link returns the first address of the site in a letter, without its host.
func (a *App) Link(t testing.TB, m Mail) string {
	t.Helper()
	_, rest, found := strings.Cut(m.Plain, a.URL)
	if !found {
		t.Fatalf("no link in %q", m.Plain)
	}
	return strings.Fields(rest)[0]
}

// Bearer returns a new user's bearer token of a shop.
func (a *App) Bearer(t testing.TB, shop string) string {
	t.Helper()
	made, err := a.Invites.Create(t.Context(), shop, shop+"@example.com", 1)
	check.Must(t, err)
	token, err := a.Invites.Generate(t.Context(), invite.Request{
		DocID: made.DocID, Email: made.Email, SecretKey: made.SecretKey, Password: secret.New("Blue-kettle-7"),
	})
	check.Must(t, err)
	return token.Reveal()
}
