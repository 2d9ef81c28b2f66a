package receipt_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
)

var codeInLetter = regexp.MustCompile(`/erase\?code=(\w+)`)

func TestOnlyTheMailedLinkErasesAPayer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	id, path := pay(t, app, "ann@example.com")
	_, others := pay(t, app, "bob@example.com")
	v := app.Visit(t, path).Follow("Remove my details from this payment").Has("last four digits stay", "To confirm, the payer opens a link that we email")
	v.Press("Send a link to a•••@e•••.com").Has("We sent a link to a•••@e•••.com").HasNot("ann@example.com")
	var code string
	apptest.Eventually(t, "the letter", func() bool {
		var plain string
		_ = app.Pool.QueryRow(t.Context(), "SELECT plain FROM mail WHERE recipient = 'ann@example.com' AND kind = 'erase payer'").Scan(&plain)
		if found := codeInLetter.FindStringSubmatch(plain); found != nil {
			code = found[1]
		}
		return code != ""
	})
	dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", id)
	link := path + "/erase?code=" + code
	app.Visit(t, link).Has("Remove my details", "It cannot be undone.") // as mail programs open links, too
	app.Visit(t, path).Has("Paid by Ann Lee")
	for name, got := range map[string]apptest.Answer{
		"a wrong code":      app.Post(t, path+"/erase", url.Values{"code": {"WRONG"}}),
		"another's receipt": app.Post(t, others+"/erase", url.Values{"code": {code}}),
	} {
		if got.Status != http.StatusGone {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	app.Visit(t, link).Press("Remove my details").Has("Your details are being removed")
	apptest.Eventually(t, "the payer is erased", func() bool { return !strings.Contains(app.Get(t, path).Body, "Ann Lee") })
	app.Visit(t, path).Has("The payer’s details were removed", "Visa ending in 1111", "$11.00", id).HasNot("Send again", "Email this receipt", "Table 4", "Remove my details from")
	app.Visit(t, others).Has("Paid by Ann Lee", "Send again to b•••@e•••.com")
	if got := app.Get(t, link); got.Status != http.StatusGone {
		t.Errorf("the used link: %d", got.Status)
	}
	if got := app.Post(t, path+"/send", url.Values{"email": {"eve@example.com"}}); got.Status != http.StatusSeeOther {
		t.Errorf("naming an address afterwards: %d", got.Status)
	}
	app.Visit(t, path).HasNot("e•••@")
}

func TestAskingForAnErasureIsLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := pay(t, app, "ann@example.com")
	for i, want := range []int{http.StatusSeeOther, http.StatusSeeOther, http.StatusSeeOther, http.StatusTooManyRequests} {
		if got := app.Post(t, path+"/erase", url.Values{"role": {"customer"}}); got.Status != want {
			t.Errorf("time %d: %d", i, got.Status)
		}
	}
	_, without := pay(t, app, "")
	app.Visit(t, without+"/erase").Has("The payer left no email address", "Ask Panezski to remove your details").HasNot("Send a link")
}

func TestAnAddressNamedLaterErasesNobody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := pay(t, app, "")
	app.Visit(t, path).Type("email", "eve@example.com").Press("Send it").Has("Send again to e•••@e•••.com")
	app.Visit(t, path+"/erase").Has("The payer left no email address", "Ask Panezski").HasNot("Send a link", "e•••@")
	if got := app.Post(t, path+"/erase", url.Values{"role": {"customer"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Ask Panezski") {
		t.Errorf("asking for a link: %d", got.Status)
	}
	if asked := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM erasure_ask"); asked != 0 {
		t.Errorf("%d erasures requested", asked)
	}
	app.Visit(t, path).Has("Paid by Ann Lee")
}

func TestALinkToEraseWorksForTwoDays(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := pay(t, app, "ann@example.com")
	app.Post(t, path+"/erase", url.Values{"role": {"customer"}})
	change(t, app, "UPDATE erasure_ask SET token_hash = sha256('code'), asked_at = now() - interval '47 hours'")
	app.Visit(t, path+"/erase?code=code").Has("It cannot be undone.")
	change(t, app, "UPDATE erasure_ask SET asked_at = now() - interval '49 hours'")
	if got := app.Post(t, path+"/erase", url.Values{"code": {"code"}}); got.Status != http.StatusGone {
		t.Errorf("after 49 hours: %d", got.Status)
	}
	app.Visit(t, path).Has("Paid by Ann Lee")
}
