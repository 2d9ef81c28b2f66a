package handlers_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/push"
	"forecourt/internal/upkeep/demo"
)

// TestEveryRefusalNamesFieldAndRule sends each JSON call values of a wrong type, missing ones, too long ones and unknown ones.
func TestEveryRefusalNamesFieldAndRule(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Push: push.Config{Project: push.Project{ID: "shop", AppID: "a", SenderID: "s", APIKey: secret.New("k")}}})
	token := apptest.JSON[struct{ Token string }](t, app.PostJSON(t, "/onboarding/tokengen/"+demo.InviteID, map[string]any{
		"email": demo.Email, "secretKey": demo.InviteKey, "password": "Blue-kettle-7", "userIndex": 0,
	})).Token
	app.SignIn(t)
	made := apptest.JSON[struct {
		Merchant struct{ UUID, Key, MID string }
	}](t, app.PostJSON(t, "/api/create", map[string]any{"name": "Corner Cafe", "products": []string{"api"}}, "Sec-Fetch-Site", "same-origin")).Merchant

	long := strings.Repeat("x", 2000)
	const line = `{"name":"Butter Croissant","qty":1}`
	order := func(fields string) string { return `{"merchantId":"panezski","order":[` + line + `],` + fields + `}` }
	lines := func(list string) string { return `{"merchantId":"panezski","order":` + list + `}` }
	trx := app.Order(t)
	card := func(fields string) string {
		return change(t, `{"merchantId":"panezski","trxId":"`+trx+`","cardholder":"Ada","pan":"4111111111111111","exp":"12/34","cvc":"123"}`, fields)
	}
	wallet := func(fields string) string {
		return change(t, `{"wallet":"gpay","merchantId":"panezski","transid":"`+trx+`","token":"t"}`, fields)
	}
	create := func(fields string) string { return change(t, `{"name":"Fine Name","products":["api"]}`, fields) }
	charge := func(fields string) string {
		return change(t, `{"accountId":"`+made.MID+`","storeId":"1001","deviceId":"01","currency":"GBP","amount":"5.00","reference":"R-1","key":"k"}`, fields)
	}
	subscription := func(fields string) string {
		return `{"web":` + change(t, `{"endpoint":"https://push.example.com/1","auth":"AAAAAAAAAAAAAAAAAAAAAA","p256dh":"x"}`, fields) + `}`
	}
	const session = "/api/wallet/session"
	registrations, pay := "/api/push/v1/projects/shop/registrations", "/gateway/"+made.UUID+"/pay"

	for _, tt := range []struct {
		name, path, body string
		status           int
		field            string // in the answer; "" for the whole body
	}{
		{"no JSON", "/api/pos", `merchantId=panezski`, 400, ""},
		{"nothing", "/api/pos", ``, 400, ""},
		{"a list", "/api/pay", `[]`, 400, ""},
		{"a field twice", "/api/pay", `{"pan":"1","PAN":"2"}`, 400, ""},

		{"no merchant", "/api/pos", `{"order":[` + line + `]}`, 422, "merchantId"},
		{"a merchant of another type", "/api/pos", `{"merchantId":7}`, 422, "merchantId"},
		{"an unknown merchant", "/api/pos", `{"merchantId":"nosuch","order":[` + line + `]}`, 404, "merchantId"},
		{"no order", "/api/pos", `{"merchantId":"panezski"}`, 422, "order"},
		{"an order of another type", "/api/pos", lines(`{}`), 422, "order"},
		{"a line of another type", "/api/pos", lines(`["x"]`), 422, "order"},
		{"no quantity", "/api/pos", lines(`[{"name":"Butter Croissant"}]`), 422, "order[0].qty"},
		{"a quantity in quotes", "/api/pos", lines(`[{"name":"Butter Croissant","qty":"2"}]`), 422, "order.qty"},
		{"a fractional quantity", "/api/pos", lines(`[{"name":"Butter Croissant","qty":0.5}]`), 422, "order.qty"},
		{"the second quantity", "/api/pos", lines(`[` + line + `,{"name":"Flat White","qty":100}]`), 422, "order[1].qty"},
		{"no item", "/api/pos", lines(`[{"qty":1}]`), 422, "order[0]"},
		{"an item twice", "/api/pos", lines(`[` + line + `,` + line + `]`), 422, "order[1]"},
		{"an id that is not a number", "/api/pos", lines(`[{"id":"one","qty":1}]`), 422, "order.id"},
		{"an endless item name", "/api/pos", lines(`[{"name":"` + long + `","qty":1}]`), 422, "order[0].name"},
		{"an unknown item", "/api/pos", lines(`[{"name":"Lobster","qty":1}]`), 409, "order"},
		{"an amount that is not a number", "/api/pos", order(`"amount":"eleven"`), 422, "amount"},
		{"another amount", "/api/pos", order(`"amount":"0.01"`), 409, "amount"},
		{"a long table", "/api/pos", order(`"table":"` + long + `"`), 422, "table"},
		{"a table of another type", "/api/pos", order(`"table":4`), 422, "table"},
		{"a long name", "/api/pos", order(`"name":"` + long + `"`), 422, "name"},
		{"a long description", "/api/pos", order(`"description":"` + long + `"`), 422, "description"},
		{"a long source", "/api/pos", order(`"source":"` + long + `"`), 422, "source"},
		{"a long trxRef", "/api/pos", order(`"trxRef":"` + long + `"`), 422, "trxRef"},
		{"a card number as the name", "/api/pos", order(`"name":"Ann 4111&nbsp;1111&nbsp;1111&nbsp;1111"`), 422, "name"},
		{"a card number as the table", "/api/pos", order(`"table":"4111|1111|1111|1111"`), 422, "table"},
		{"a card number in the description", "/api/pos", order(`"description":"Lunch 4111/1111/1111/1111"`), 422, "description"},
		{"a card number as the trxRef", "/api/pos", order(`"trxRef":"411111111111111 1"`), 422, "trxRef"},
		{"a card number as the source", "/api/pos", order(`"source":"diy 4111.1111.1111.1111"`), 422, "source"},
		{"a card number as the push token", "/api/pos", order(`"pushToken":"４１１１１１１１１１１１１１１１"`), 422, "pushToken"},
		{"a card number as an item", "/api/pos", lines(`[{"name":"4111-1111-1111-1111","qty":1}]`), 422, "order[0].name"},
		{"a card number as the merchant", "/api/pos", `{"merchantId":"4111111111111111","order":[` + line + `]}`, 404, "merchantId"},

		{"no merchant", "/api/pay", card(`"merchantId":""`), 422, "merchantId"},
		{"no transaction", "/api/pay", card(`"trxId":null`), 422, "trxId"},
		{"an unknown transaction", "/api/pay", card(`"trxId":"nosuch"`), 404, "trxId"},
		{"no cardholder", "/api/pay", card(`"cardholder":""`), 422, "cardholder"},
		{"a long cardholder", "/api/pay", card(`"cardholder":"` + long + `"`), 422, "cardholder"},
		{"a card number that is a JSON number", "/api/pay", card(`"pan":4111111111111111`), 422, "pan"},
		{"no card number", "/api/pay", card(`"pan":""`), 422, "pan"},
		{"no expiry", "/api/pay", card(`"exp":""`), 422, "exp"},
		{"an expiry of another type", "/api/pay", card(`"exp":1234`), 422, "exp"},
		{"a long code", "/api/pay", card(`"cvc":"12345"`), 422, "cvc"},
		{"an invalid address", "/api/pay", card(`"cEmail":"x"`), 422, "cEmail"},
		{"tryAgain in quotes", "/api/pay", card(`"tryAgain":"true"`), 422, "tryAgain"},

		{"no merchant", "/api/wallet", wallet(`"merchantId":""`), 422, "merchantId"},
		{"no transaction", "/api/wallet", wallet(`"transid":""`), 422, "transid"},
		{"an unknown transaction", "/api/wallet", wallet(`"transid":"nosuch"`), 404, "trxId"},
		{"no wallet", "/api/wallet", wallet(`"wallet":null`), 422, "wallet"},
		{"an unknown wallet", "/api/wallet", wallet(`"wallet":"paypal"`), 422, "wallet"},
		{"a wallet of another type", "/api/wallet", wallet(`"wallet":[]`), 422, "wallet"},
		{"no token", "/api/wallet", wallet(`"token":null`), 422, "token"},
		{"no payment data", "/api/wallet", wallet(`"wallet":"apple"`), 422, "paymentData"},
		{"an invalid address", "/api/wallet", wallet(`"email":"x"`), 422, "email"},
		{"a shipping address of another type", "/api/wallet", wallet(`"shippingAddress":"Sydney"`), 422, "shippingAddress"},

		{"no merchant", session, `{"validationURL":"https://apple-pay-gateway.apple.com/x"}`, 422, "merchantId"},
		{"an unknown merchant", session, `{"merchantId":"nosuch","validationURL":"https://apple-pay-gateway.apple.com/x"}`, 404, "merchantId"},
		{"no address", session, `{"merchantId":"panezski"}`, 422, "validationURL"},
		{"an address of another type", session, `{"merchantId":"panezski","validationURL":1}`, 422, "validationURL"},
		{"an unknown currency", session, `{"merchantId":"panezski","currency":"GBP"}`, 422, "currency"},

		{"no name", "/api/create", create(`"name":""`), 422, "name"},
		{"a card number as the name", "/api/create", create(`"name":"4111.1111.1111.1111"`), 422, "name"},
		{"a card number in the sign-up", "/api/create", create(`"signupInfo":{"note":"4111111111111111"}`), 422, "signupInfo"},
		{"a long name", "/api/create", create(`"name":"` + long + `"`), 422, "name"},
		{"a name of another type", "/api/create", create(`"name":{}`), 422, "name"},
		{"no products", "/api/create", create(`"products":[]`), 422, "products"},
		{"an unknown product", "/api/create", create(`"products":["zzz"]`), 422, "products"},
		{"an unknown option", "/api/create", create(`"products":[{"code":"api","options":["zzz"]}]`), 422, "products"},
		{"options of another type", "/api/create", create(`"products":[{"code":"api","options":1}]`), 422, "products.options"},
		{"sign-up information of another type", "/api/create", create(`"signupInfo":"x"`), 422, "signupInfo"},
		{"another person's uid", "/api/create", create(`"uid":"00000000-0000-4000-8000-000000000000"`), 403, "uid"},

		{"no rows", "/api/batch", `{"transactions":[]}`, 422, "transactions"},
		{"rows of another type", "/api/batch", `{"transactions":5}`, 422, "transactions"},
		{"no batch", "/api/batch", `5`, 400, ""},

		{"another account", pay, charge(`"accountId":"1"`), 401, "accountId"},
		{"no store", pay, charge(`"storeId":""`), 401, "storeId"},
		{"an unknown device", pay, charge(`"deviceId":"7"`), 401, "deviceId"},
		{"another key", pay, charge(`"currency":"GBP"`), 401, "key"},
		{"a store of another type", pay, charge(`"storeId":1001`), 422, "storeId"},
		{"an amount with a comma, which no key can match", pay, charge(`"amount":"12,50"`), 422, "amount"},
		{"no account", pay, charge(`"accountId":""`), 401, "accountId"},
		{"an amount of another type", pay, charge(`"amount":[]`), 422, "amount"},
		{"no test gateway", "/gateway/00000000-0000-4000-8000-000000000000/pay", charge(`"storeId":"1001"`), 404, "uuid"},

		{"no subscription", registrations, `{}`, 422, "web.endpoint"},
		{"a subscription of another type", registrations, `{"web":[]}`, 422, "web"},
		{"a long endpoint", registrations, subscription(`"endpoint":"https://push.example.com/` + long + `"`), 422, "web.endpoint"},
		{"no auth", registrations, subscription(`"auth":""`), 422, "web.auth"},
		{"a key off the curve", registrations, subscription(`"p256dh":"AAAA"`), 422, "web.p256dh"},
		{"an unknown project", strings.Replace(registrations, "shop", "other", 1), subscription(`"auth":""`), 404, "project"},
	} {
		t.Run(tt.path+" "+tt.name, func(t *testing.T) {
			header := http.Header{"Content-Type": {"application/json"}, "Sec-Fetch-Site": {"same-origin"}, "Authorization": {"Bearer " + token}}
			refuses(t, app.Do(t, http.MethodPost, tt.path, strings.NewReader(tt.body), header), tt.status, tt.field)
		})
	}
	for path, field := range map[string]string{
		"/api/pos/nosuch": "client", "/api/pos/panezski/nosuch": "id", "/api/pos/moollar/" + trx: "id", "/api/batch/nosuch": "id", "/api/shortcode/nosuch": "code",
	} {
		refuses(t, app.Do(t, http.MethodGet, path, nil, http.Header{"Authorization": {"Bearer " + token}}), http.StatusNotFound, field)
	}
	refuses(t, app.Do(t, http.MethodGet, pay, nil, nil), http.StatusMethodNotAllowed, "") // as when developers paste the address into a browser
	refuses(t, app.Do(t, http.MethodGet, "/api/batch/nosuch", nil, http.Header{"Authorization": {"Bearer x"}}), http.StatusUnauthorized, "Authorization")
	refuses(t, app.PostJSON(t, "/api/pos", map[string]any{}, "Idempotency-Key", "é"), http.StatusUnprocessableEntity, "merchantId")
	refuses(t, app.PostJSON(t, "/api/pay", map[string]any{}, "Idempotency-Key", strings.Repeat("k", 256)), http.StatusUnprocessableEntity, "Idempotency-Key")
	for path, body := range map[string]any{"/api/pos": map[string]any{"merchantId": "panezski"}, "/api/pay": map[string]any{}, "/api/wallet": map[string]any{}} {
		refuses(t, app.PostJSON(t, path, body, "Idempotency-Key", "try 4111 1111 1111 1111"), http.StatusUnprocessableEntity, "Idempotency-Key")
	}
	for _, path := range []string{"/api/pos", pay} {
		refuses(t, app.PostJSON(t, path, map[string]any{}, "Origin", "https://shop.example", "Sec-Fetch-Site", "cross-site"), http.StatusForbidden, "Origin")
	}
}

// change replaces a field of a JSON object.
func change(t *testing.T, object, field string) string {
	t.Helper()
	var all, one map[string]json.RawMessage
	check.Must(t, json.Unmarshal([]byte(object), &all))
	check.Must(t, json.Unmarshal([]byte("{"+field+"}"), &one), "… in %s", field)
	for name, value := range one {
		all[name] = value
	}
	text, err := json.Marshal(all)
	check.Must(t, err)
	return string(text)
}

// refuses fails the test unless an answer names the field, says more than its name, and quotes neither a long text nor a card.
func refuses(t *testing.T, answer apptest.Answer, status int, field string) {
	t.Helper()
	var told struct {
		Error, Field string
	}
	if err := json.Unmarshal([]byte(answer.Body), &told); err != nil { // the push calls have their own shape
		told.Error, told.Field = "", ""
		inner := apptest.JSON[struct {
			Error struct{ Message, Field string }
		}](t, answer).Error
		told.Error, told.Field = inner.Message, inner.Field
	}
	if answer.Status != status || told.Field != field || len(strings.Fields(told.Error)) < 3 {
		t.Errorf("%d %s, want %d and the field %q", answer.Status, answer.Body, status, field)
	}
	if strings.Contains(told.Error, "our side") || strings.Contains(answer.Body, "xxxxxxxxxx") || strings.Contains(answer.Body, "4111") {
		t.Errorf("the error is %s", answer.Body)
	}
}
