package receipt_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

var codeInLetter = regexp.MustCompile(`/erase\?code=(\w+)`)

func TestOnlyTheMailedLinkErasesAPayer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	id, path := app.Receipt(t, "ann@example.com")
	_, others := app.Receipt(t, "bob@example.com")
	v := app.Visit(t, path).Follow("Get a copy of my details, or remove them").
		Has("last four digits stay", "To confirm, the payer opens a link that we email")
	v.Press("Send a link to a•••@e•••.com").Has("We sent a link to a•••@e•••.com").HasNot("ann@example.com")
	code := codeInLetter.FindStringSubmatch(app.Letter(t, "ann@example.com", "/erase?code=").Plain)[1]
	dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", id)
	link := path + "/erase?code=" + code
	app.Visit(t, link).Has("Remove my details", "Removing cannot be undone.") // as mail programs open links, too
	app.Visit(t, path).Has("Paid by Ann Lee")
	for name, got := range map[string]apptest.Answer{
		"a wrong code":      app.Post(t, path+"/erase", url.Values{"code": {"WRONG"}}),
		"another's receipt": app.Post(t, others+"/erase", url.Values{"code": {code}}),
	} {
		got.Want(t, http.StatusGone, name)
	}
	answer := app.Post(t, path+"/erase", url.Values{"code": {code}, "do": {"copy"}})
	answer.Want(t, http.StatusOK, "a copy", `"payer_name": "Ann Lee"`, "ann@example.com", `"name": "Butter Croissant"`, id)
	check.Lacks(t, answer.Body, "bob@", "a copy")
	app.Post(t, others+"/erase", url.Values{"code": {code}, "do": {"copy"}}).Want(t, http.StatusGone, "a copy of another's")
	app.Visit(t, link).Press("Remove my details").Has("Your details are being removed")
	apptest.Eventually(t, "the payer is erased", func() bool { return !strings.Contains(app.Get(t, path).Body, "Ann Lee") })
	app.Visit(t, path).Has("The payer’s details were removed", "Visa ending in 1111", "$11.00", id).HasNot(
		"Send again", "Email this receipt",
		"Table 4", "Get a copy of my details")
	app.Visit(t, others).Has("Paid by Ann Lee", "Send again to b•••@e•••.com")
	app.Get(t, link).Want(t, http.StatusGone, "the used link")
	app.Post(t, path+"/send", url.Values{"email": {"eve@example.com"}}).Want(t, http.StatusSeeOther, "naming an address afterwards")
	app.Visit(t, path).HasNot("e•••@")
}

func TestAskingForAnErasureIsLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := app.Receipt(t, "ann@example.com")
	for i, want := range []int{http.StatusSeeOther, http.StatusSeeOther, http.StatusSeeOther, http.StatusTooManyRequests} {
		check.Equal(t, app.Post(t, path+"/erase", url.Values{"role": {"customer"}}).Status, want, "time %d", i)
	}
	_, without := app.Receipt(t, "")
	app.Visit(t, without+"/erase").Has("The payer left no email address", "Ask Panezski to remove your details").HasNot("Send a link")
}

func TestAnAddressNamedLaterErasesNobody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := app.Receipt(t, "")
	app.Visit(t, path).Type("email", "eve@example.com").Press("Send it").Has("Send again to e•••@e•••.com")
	app.Visit(t, path+"/erase").Has("The payer left no email address", "Ask Panezski").HasNot("Send a link", "e•••@")
	app.Post(t, path+"/erase", url.Values{"role": {"customer"}}).Want(t, http.StatusUnprocessableEntity, "asking for a link", "Ask <bdi>Panezski</bdi>")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM erasure_ask"), 0, "erasures requested")
	app.Visit(t, path).Has("Paid by Ann Lee")
}

func TestALinkToEraseWorksForTwoDays(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := app.Receipt(t, "ann@example.com")
	app.Post(t, path+"/erase", url.Values{"role": {"customer"}})
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET token_hash = sha256('code'), asked_at = now() - interval '47 hours'")
	app.Visit(t, path+"/erase?code=code").Has("Removing cannot be undone.")
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET asked_at = now() - interval '49 hours'")
	app.Post(t, path+"/erase", url.Values{"code": {"code"}}).Want(t, http.StatusGone, "after 49 hours")
	app.Visit(t, path).Has("Paid by Ann Lee")
}
