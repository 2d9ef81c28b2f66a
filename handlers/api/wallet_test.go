package api_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/gateway"
)

// byWallet pays a transaction of panezski by Google Pay; more changes the body, or gives an Idempotency-Key.
func byWallet(t *testing.T, app *apptest.App, id string, more m) apptest.Answer {
	t.Helper()
	body := m{
		"wallet": "gpay", "token": "tok-canary", "type": "CARD", "info": m{"cardNetwork": "VISA", "cardDetails": "4242"}, "currency": "USD",
		"amount": "0.01", "tRef": id, "reference": "mine", "description": "mine", "publickey": "mine", "merchantId": "panezski",
		"transid": id, "source": "PayLink", "shippingAddress": m{"countryCode": "AU"}, "email": "ada@example.com",
		"otgMerchant": "panezski", "transactionkey": "mine", "testMode": false,
	}
	var header []string
	for name, value := range more {
		switch {
		case name == "Idempotency-Key":
			header = append(header, name, value.(string))
		case value == nil:
			delete(body, name)
		default:
			body[name] = value
		}
	}
	return app.PostJSON(t, "/api/wallet", body, header...)
}

// apple turns a Google Pay body into an Apple Pay one.
func apple(more m) m {
	body := m{
		"wallet": "apple", "token": nil, "type": nil, "info": nil, "merchantId": nil, "merchantid": "panezski",
		"paymentData": m{"data": "tok-canary"}, "paymentMethod": m{"network": "MasterCard", "displayName": "MasterCard 5454", "type": "debit"},
	}
	maps.Copy(body, more)
	return body
}

type walletAnswer struct {
	Status              struct{ StatusCode, ErrorDesc string }
	TransactionID, Code string
	Redirect, State     string
	AuthResponse        struct{ BankTransactionNo, GatewayReference string }
}

func TestPayingByWallet(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct {
		name, method, brand, last string
		body                      m
	}{
		{"Google Pay (API-04 PAY-29 WALLET-10 WALLET-13)", "gpay", "visa", "4242", m{}},
		{"Apple Pay (PAY-29 WALLET-12 WALLET-13)", "apple", "mastercard", "5454", apple(nil)},
		{"the transaction by tRef, the merchant by otgMerchant", "gpay", "visa", "4242", m{"transid": nil, "merchantId": nil}},
		{"without optional fields", "gpay", "", "", m{"info": nil, "email": nil, "shippingAddress": nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := app.Order(t)
			tt.body["Idempotency-Key"] = tt.name
			answer := byWallet(t, app, id, tt.body)
			res := apptest.JSON[walletAnswer](t, answer)
			if answer.Status != http.StatusOK || res.Status.StatusCode != "0" || res.TransactionID == "" || res.AuthResponse.BankTransactionNo == "" || res.AuthResponse.GatewayReference == "" {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
			check.Lacks(t, answer.Body, "responsetype", "the answer is")
			check.Lacks(t, answer.Body, "tok-canary", "the answer is")
			if c := app.Captures(t, id); len(c) != 1 || c[0].Amount != "11.00" || c[0].Currency != "AUD" || c[0].Arrivals != 1 {
				t.Errorf("amount and currency are the transaction's, never the request's: %+v", c)
			}
			stored := dbtest.Value[string](t, app.Pool,
				"SELECT method || ' ' || card_brand || ' ' || card_last_four FROM attempt WHERE transaction_id = $1", id)
			check.Equal(t, stored, tt.method+" "+tt.brand+" "+tt.last, "the attempt")
			check.Equal(t, byWallet(t, app, id, tt.body).Body, answer.Body, "paid again")
			check.Equal(t, len(app.Captures(t, id)), 1, "paid again")
			card := apptest.JSON[response](t, pay(t, app, id, m{"Idempotency-Key": tt.name}))
			if card.Status.ResponseType != "1" || card.Status.StatusCode != "0" || card.TransactionID != res.TransactionID {
				t.Errorf("a card call does not get the stored payment in a card's answer: %+v", card)
			}
		})
	}
}

func TestWalletAnswers(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Timeout: 3 * time.Second})
	declinedID := app.Order(t)
	declined := byWallet(t, app, declinedID, m{"token": "decline", "Idempotency-Key": "one"})
	if res := apptest.JSON[walletAnswer](t, declined); declined.Status != http.StatusOK || res.Status.StatusCode == "0" || res.Status.ErrorDesc != "Do not honour" {
		t.Errorf("a decline: %d %s", declined.Status, declined.Body)
	}
	again := byWallet(t, app, declinedID, m{"Idempotency-Key": "one"})
	check.Equal(t, again.Body, declined.Body, "the same key: %d", again.Status)
	refused(t, byWallet(t, app, declinedID, m{"Idempotency-Key": "two"}), http.StatusConflict, "Try Again")

	redirect := byWallet(t, app, app.Order(t), m{"token": "redirect"})
	if res := apptest.JSON[walletAnswer](t, redirect); redirect.Status != http.StatusAccepted || res.State != "processing" || !strings.HasPrefix(res.Redirect, app.URL+"/sandbox/3ds/") {
		t.Errorf("3-D Secure: %d %s", redirect.Status, redirect.Body)
	}

	silent := app.Order(t)
	if answer := byWallet(t, app, silent, apple(m{"paymentData": m{"data": "timeout"}})); answer.Status != http.StatusAccepted && answer.Status != http.StatusOK || answer.Status == http.StatusAccepted && apptest.JSON[walletAnswer](t, answer).State != "processing" {
		t.Errorf("after a timeout the payment is neither open nor resolved: %d %s", answer.Status, answer.Body)
	}
	apptest.Eventually(t, "a charge that was never answered counts as paid", func() bool {
		return strings.Contains(app.Get(t, "/api/pos/panezski/"+silent).Body, `"status":"success"`)
	})
	broken := app.Order(t)
	byWallet(t, app, broken, m{"token": "uncharged"})
	apptest.Eventually(t, "the sweep finds that nothing was charged", func() bool {
		return strings.Contains(app.Get(t, "/api/pos/panezski/"+broken).Body, `"status":"error"`)
	})
	check.Equal(t, len(app.Captures(t, silent)), 1, "the captures are not those of the timed-out payment alone")
	check.Equal(t, len(app.Captures(t, broken)), 0, "the captures are not those of the timed-out payment alone")
}

// TestWhatTheGatewayGets compares the gateway's requests with the specification, field by field.
func TestWhatTheGatewayGets(t *testing.T) {
	t.Parallel()
	type call struct {
		path string
		body m
	}
	calls := make(chan call, 10)
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body m
		check.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		calls <- call{r.URL.Path, body}
		if r.URL.Path == "/wallet/key" {
			_, _ = io.WriteString(w, `{"status":"00","result":"the-key"}`)
			return
		}
		_, _ = io.WriteString(w, `{"status":{"statuscode":"0"},"transactionid":"T-`+body["reference"].(string)+`","authresponse":{"banktransactionno":"B-1"}}`)
	})})
	for _, tt := range []struct {
		name string
		more m
		want m
	}{
		{"Google Pay (PAY-52 WALLET-08 WALLET-09 WALLET-14 WALLET-16 WALLET-32)", m{}, m{
			"wallet": "gpay", "merchantId": "panezski", "token": "tok-canary", "type": "CARD", "info": m{"cardNetwork": "VISA", "cardDetails": "4242"},
		}},
		{"Apple Pay (PAY-52 WALLET-11 WALLET-12 WALLET-14 WALLET-16 WALLET-32)", apple(nil), m{
			"wallet": "apple", "merchantid": "panezski", "paymentData": m{"data": "tok-canary"},
			"paymentMethod": m{"network": "MasterCard", "displayName": "MasterCard 5454", "type": "debit"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := app.Order(t)
			byWallet(t, app, id, tt.more).Must(t, http.StatusOK, "paying by wallet")
			key, paid := <-calls, <-calls
			reference := paid.body["reference"]
			wantKey := m{"merchantId": "panezski", "amount": "11.00", "currency": "AUD", "reference": reference, "testMode": true}
			check.Equal(t, key.path, "/wallet/key", "asked")
			check.Equal(t, equal(key.body, wantKey), true, "asked for what it should, got %v", key.body)
			maps.Copy(tt.want, m{
				"currency": "AUD", "amount": "11.00", "tRef": id, "transid": id, "reference": reference, "description": "Food Order",
				"publickey": "sandbox-panezski-test", "source": "PayLink", "shippingAddress": m{"countryCode": "AU"}, "email": "ada@example.com",
				"otgMerchant": "panezski", "transactionkey": "the-key", "returnUrl": app.URL + "/pos/panezski/" + id,
			})
			check.Equal(t, paid.path, "/api/wallet", "sent")
			check.Equal(t, equal(paid.body, tt.want), true, "sent what it should, got %v", paid.body)
			text, _ := json.Marshal(paid.body)
			check.Lacks(t, string(text), "sandbox-password", "the paylink password was sent")
		})
	}
}

func equal(a, b m) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}

func TestWithoutAKeyNothingIsSent(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"another status (WALLET-15)": `{"status":"05","result":"k"}`, "no result (WALLET-15)": `{"status":"00","result":""}`,
		"a page": `<html>`, "nothing": ``,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				check.Equal(t, r.URL.Path, "/wallet/key", "… was called")
				_, _ = io.WriteString(w, answer)
			})})
			id := app.Order(t)
			refused(t, byWallet(t, app, id, nil), http.StatusServiceUnavailable, "Nothing was charged")
			app.Visit(t, "/pos/panezski/"+id).Has("Payment Unsuccessful").Press("Try Again?").Has("Pay $11.00")
		})
	}
}

func TestNothingIsChargedWhenTheKeyNeverComes(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Timeout: 400 * time.Millisecond, Gateway: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		check.Equal(t, r.URL.Path, "/wallet/key", "… was called")
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})})
	refused(t, byWallet(t, app, app.Order(t), nil), http.StatusServiceUnavailable, "Nothing was charged")
}

func TestWalletPaymentsTheAPIRefuses(t *testing.T) {
	t.Parallel()
	unchanged := apptest.New(t, apptest.Options{})
	for _, tt := range []struct {
		name, change string
		more         m
		status       int
		words        string
	}{
		{"a merchant without a paylink key (WALLET-01)", "DELETE FROM shop_account", nil, 409, "by wallet"},
		{"a key of the other mode alone (WALLET-01)", "DELETE FROM shop_account WHERE NOT live", nil, 409, "by wallet"},
		{"another currency (WALLET-01)", "UPDATE transaction SET currency = 'GBP'", nil, 409, "by wallet"},
		{"an expired order", "UPDATE transaction SET status = 'expired'", nil, 410, "not paid in time"},
		{"an item that has sold out since", "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'", nil, 409, "Butter Croissant"},
		{"an empty token", "", m{"token": ""}, 422, "Nothing was charged"},
		{"a token that is a number", "", m{"token": 4111111111111111}, 422, "Nothing was charged"},
		{"another merchant's transaction", "", m{"merchantId": "moollar"}, 404, "transaction"},
		{"a transaction that is not a string", "", m{"transid": "a\x00"}, 404, ""},
		{"a body over 16 KiB", "", m{"token": strings.Repeat("t", 17<<10)}, 413, ""},
		{"a field twice in different case", "", m{"merchantid": "moollar"}, 400, "twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			app, id := unchanged, unchanged.Order(t)
			if tt.change != "" {
				t.Parallel()
				app = apptest.New(t, apptest.Options{})
				id = app.Order(t)
				dbtest.Exec(t, app.Pool, tt.change)
			}
			answer := byWallet(t, app, id, tt.more)
			refused(t, answer, tt.status, tt.words)
			if strings.Contains(answer.Body, "tok-canary") || strings.Contains(answer.Body, "4111") || len(app.Captures(t, id)) != 0 {
				t.Errorf("the answer repeats the token, or the wallet was charged: %s", answer.Body)
			}
		})
	}
}

func TestWalletsAndCardsAtOnceChargeOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for range 5 {
		id := app.Order(t)
		var wait sync.WaitGroup
		for i := range 9 {
			wait.Go(func() {
				var answer apptest.Answer
				switch i % 3 {
				case 0:
					answer = pay(t, app, id, m{"Idempotency-Key": []string{"a", "b"}[i/3%2]})
				case 1:
					answer = byWallet(t, app, id, nil)
				default:
					answer = byWallet(t, app, id, apple(nil))
				}
				if !slices.Contains([]int{200, 202, 409}, answer.Status) {
					t.Errorf("%d %s", answer.Status, answer.Body)
				}
			})
		}
		wait.Wait()
		check.Equal(t, len(app.Captures(t, id)), 1, "charged … times")
	}
}

func TestLimitsCountWalletsToo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	id := app.Order(t)
	for range 5 {
		byWallet(t, app, id, m{"token": "decline"}).Must(t, http.StatusOK, "paying by wallet")
		app.Post(t, "/pos/panezski/"+id+"/retry", nil)
	}
	answer := byWallet(t, app, id, nil)
	refused(t, answer, http.StatusTooManyRequests, "Too many payments were declined")
	answer.HasHeader(t, "Retry-After", "…")
	check.Equal(t, len(app.Captures(t, id)), 0, "captures")
}

func TestAppleSessions(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	start := func(more m) apptest.Answer {
		body := m{"validationURL": "https://apple-pay-gateway.apple.com/paymentservices/startSession", "merchantId": "panezski", "currency": "AUD"}
		maps.Copy(body, more)
		return app.PostJSON(t, "/api/wallet/session", body)
	}
	answer := start(nil)
	if session := apptest.JSON[map[string]any](t, answer); answer.Status != http.StatusOK || session["merchantSessionIdentifier"] == "" || session["merchantIdentifier"] != "panezski" {
		t.Errorf("WALLET-17 %d %s", answer.Status, answer.Body)
	}
	refused(t, start(m{"validationURL": "https://evil.test/"}), http.StatusUnprocessableEntity, "Apple")
	refused(t, start(m{"merchantId": "sabona"}), http.StatusNotFound)
	app.StopGateway()
	refused(t, start(nil), http.StatusServiceUnavailable)
}

func TestAppleSessionsByThePaymentService(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Apple: gateway.AppleConfig{URL: "http://127.0.0.1:9"}})
	answer := app.PostJSON(t, "/api/wallet/session", m{"validationURL": "https://apple-pay-gateway.apple.com/x", "merchantId": "panezski", "currency": "AUD"})
	refused(t, answer, http.StatusServiceUnavailable)
}

func TestTheDomainFile(t *testing.T) {
	t.Parallel()
	const path = "/.well-known/apple-developer-merchantid-domain-association"
	apptest.New(t, apptest.Options{}).Get(t, path).Want(t, http.StatusNotFound, "without a file")
	got := apptest.New(t, apptest.Options{AppleDomainFile: []byte("from Apple")}).Get(t, path)
	if got.Status != http.StatusOK || got.Body != "from Apple" {
		t.Errorf("%d %q", got.Status, got.Body)
	}
}
