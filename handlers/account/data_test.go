package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

func TestDownloadingAndErasingDataNeedAProof(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignUp(t, ann)
	proved := func(path string, form url.Values) apptest.Answer {
		t.Helper()
		grow(t, app, "11 minutes")
		got := app.Post(t, path, form)
		id, found := strings.CutPrefix(got.Location, "/kept/")
		if !found {
			t.Fatalf("%s %v without a proof: %d", path, form, got.Status)
		}
		proveBy(t, app, path, id, url.Values{"password": {"Wrong-pass-1"}}).Must(t, http.StatusUnprocessableEntity, path+" with a wrong password")
		return proveBy(t, app, path, id, right)
	}
	sent := proved("/account/data/copy", nil)
	attached := strings.Contains(sent.Header.Get("Content-Disposition"), "attachment")
	if sent.Status != http.StatusOK || !strings.HasPrefix(sent.Body, "PK") || sent.Header.Get("Cache-Control") != "no-store" || !attached {
		t.Errorf("the download: %d %v", sent.Status, sent.Header)
	}
	if mail := app.Mails(t, ann, 1)[0]; mail.Subject != "A copy of your data was downloaded" || !strings.Contains(mail.Plain, "/reset") {
		t.Errorf("the letter: %+v", mail)
	}
	app.Visit(t, "/account/security").Has("Copy of your data downloaded")
	for range 2 {
		app.Post(t, "/account/data/copy", nil)
	}
	app.Post(t, "/account/data/copy", nil).Want(t, http.StatusTooManyRequests, "a fourth copy in a day", "three copies in a day")

	got := proved("/account/data", url.Values{"do": {"erase"}, "typed": {ann}})
	must.Equal(t, got.Location, "/account/data", "an erasure: %d %s", got.Status, got.Body)
	app.Visit(t, "/account/data").Has("This account will be erased on").HasNot("to be sure").Press("Keep the account").Has("Your account stays.", "to be sure")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM erasure_ask"), 0, "erasures ordered")
}

func TestThePageSaysWhatBlocksAnErasure(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	app.Visit(t, "/account").Follow("Your data: take a copy, or erase the account").Has("cannot be erased yet", "Everybody who tries the demo uses this account.").HasNot("to be sure")
	app.Post(t, "/account/data", url.Values{"do": {"erase"}, "typed": {demo.Email}}).Want(t, http.StatusConflict, "erasing it")
}
