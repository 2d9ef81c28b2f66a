package merchant_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
)

func TestReferencesMayBeUUIDsAndTimesButNotCards(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	shown := app.Visit(t, "/merchant/admin").Press("Show Terminal secret")
	hush, account := secretForm.FindString(shown.Body), words(shown.Find("code", "id=account-id"))
	charge := func(reference string, amount any) apptest.Answer {
		in := keys.Input{Currency: "GBP", Amount: fmt.Sprint(amount), Reference: reference, Secret: secret.New(hush)}
		return app.PostJSON(t, "/gateway/"+id+"/pay", map[string]any{
			"accountId": account, "storeId": "1001", "deviceId": "01", "currency": "GBP", "amount": amount, "reference": reference,
			"key": in.Key(keys.SHA256), "cardholder": "Ada", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
		})
	}
	now := time.Now()
	for _, reference := range []string{
		uuid.NewString(), uuid.NewString(), strings.ToUpper(uuid.NewString()), fmt.Sprint(now.UnixMilli()), fmt.Sprint(now.UnixNano()), "INV-2026-000000012345",
	} {
		charge(reference, 5.5).Want(t, http.StatusOK, reference, `"amount":"5.50"`)
		check.Contains(t, app.Get(t, "/merchant/admin/"+id+"/calls").Body, reference, "… is not in the request log")
	}
	for _, reference := range []string{"4111111111111111", "4111-1111-1111-1111", "ORDER_5555.5555.5555.4444", "", strings.Repeat("x", 65), "a b"} {
		got := charge(reference, "5.50")
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `"field":"reference"`) {
			t.Errorf("%q: %d %s", reference, got.Status, got.Body)
		}
		check.Equal(t, strings.Contains(reference, "1111") || strings.Contains(reference, "5555"), strings.Contains(got.Body, "card number"),
			"%q: wrong reason: %s", reference, got.Body)
		if page := app.Get(t, "/merchant/admin/"+id+"/calls").Body; card.HoldsCard(reference) && strings.Contains(page, reference) {
			t.Errorf("%q is in the request log", reference)
		}
	}
}

func TestANewMerchantUsesTheHostedPage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	signedUp(t, app, "ann@example.com", "Ann's Apples")
	shown := app.Visit(t, "/merchant/admin").Has("Hosted payment page", "Merchant_User_Id", "publickey").Press("Show Terminal secret")
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "ORDER-1", Secret: secret.New(secretForm.FindString(shown.Body))}
	form := url.Values{
		"Merchant_User_Id": {words(shown.Find("code", "id=hosted-id"))}, "merchant_ref_number": {in.Reference}, "currencydesc": {in.Currency},
		"amount": {in.Amount}, "transactionkey": {in.Key(keys.SHA1)}, "processurl": {app.URL + "/demo/hps/x"}, "cancelurl": {app.URL + "/demo/hps/x"},
	}
	began := app.Post(t, words(shown.Find("code", "id=hosted-url")), form)
	began.Must(t, http.StatusSeeOther, "the answer")
	check.Contains(t, app.Visit(t, began.Location).Text(), "Ann's Apples", "the page shows")
	form.Set("transactionkey", in.Key(keys.SHA256))
	app.Post(t, "/sandbox/hps", form).Want(t, http.StatusUnprocessableEntity, "another key", "other hash function")
	frame := url.Values{
		"merchantuserid": {form.Get("Merchant_User_Id")}, "publickey": {words(shown.Find("code", "id=hosted-key"))}, "amount": {"1.00"}, "currency": {"GBP"},
		"returnurl": {"https://shop.example/"},
	}
	app.Get(t, "/sandbox/hps/embed?"+frame.Encode()).Want(t, http.StatusOK, "the checkout")

	shop := app.NewPerson(t)
	shop.SignUp(t, "bea@example.com")
	made := shop.PostJSON(t, "/api/create", map[string]any{"name": "Bea's Books", "products": []string{"ecom"}}, "Sec-Fetch-Site", "same-origin")
	made.Must(t, http.StatusCreated, "/api/create")
	shop.Visit(t, "/merchant/admin").Has("Merchant_User_Id", "Make a new secret").HasNot("Terminal secret", "Gateway URL").Press("Show Merchant_Secret").Has("ts_")
}
