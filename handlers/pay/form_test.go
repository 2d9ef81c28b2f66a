package pay_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestPayingWithoutScripts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	v := app.Visit(t, "/pos/panezski/"+id)
	v.Type("name", "Pat Payer").Type("card", "4000 0000 0000 0002").Type("exp", "12/34").Type("cvc", "987").Type("email", "").Press("Pay $11.00")
	check.MustEqual(t, state(v), "failure", "PAY-11 %d", v.Status)
	v.Has("Do not honour", "No money was taken.") // PAY-31
	if v.Press("Try Again?"); state(v) != "form" || v.Value("card") != "4111 1111 1111 1111" {
		t.Fatalf("PAY-34 Try Again leads to %q", state(v))
	}
	key := v.Value("key")
	v.Press("Pay $11.00")
	check.MustEqual(t, state(v), "success", "PAY-10 %d", v.Status)
	v.Has("Payment successful", "Paid to Panezski", "$11.00")
	captures := app.Captures(t, id)
	check.MustEqual(t, len(captures), 1, "captures")
	stored := dbtest.Value[string](t, app.Pool, "SELECT transactionid FROM transaction WHERE id = $1 AND code <> ''", id)
	check.Equal(t, stored, captures[0].TransactionID, "the transactionid and code of the answer are stored (PAY-55)")
	for _, form := range []url.Values{card("key", key), card("key", "another form")} {
		app.Post(t, v.Path, form).Leads(t, v.Path, "posting again")
	}
	app.Post(t, v.Path+"/retry", nil).Want(t, http.StatusSeeOther, "Try Again after the payment")
	check.Equal(t, len(app.Captures(t, id)), 1, "charged again, or no longer paid")
	check.Equal(t, state(app.Visit(t, v.Path)), "success", "charged again, or no longer paid")
}

// refused posts a form that has to be refused and returns the page that it leads to.
func refused(t *testing.T, app *apptest.App, path string, form url.Values) apptest.Answer {
	t.Helper()
	posted := app.Post(t, path, form)
	address, query, _ := strings.Cut(posted.Location, "?")
	if posted.Status != http.StatusSeeOther || address != path || query == "" {
		t.Fatalf("a refused form gets %d %q, so going back would post the card again", posted.Status, posted.Location)
	}
	for _, secret := range []string{"987", "4111", "1112", "12%2F34", "12/34"} {
		check.Lacks(t, posted.Location, secret, "a part of the card is in")
		check.Lacks(t, strings.Join(posted.Header["Set-Cookie"], ""), secret, "a part of the card is in")
	}
	return app.Get(t, posted.Location)
}

func TestFormProblems(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := "/pos/panezski/" + app.Order(t)
	for _, tt := range []struct{ name, field, value, problem string }{
		{"no name (PAY-57)", "name", " ", "Enter the name on the card"},
		{"no number (PAY-57)", "card", "", "Enter the card number"},
		{"letters in the number (PAY-18)", "card", "4111 x111", "12 to 20 digits"},
		{"21 digits (PAY-19)", "card", strings.Repeat("4", 21), "12 to 20 digits"},
		{"a mistyped number", "card", "4111 1111 1111 1112", "not a valid card number"},
		{"no expiry (PAY-57)", "exp", "", "Enter the expiry date"},
		{"an expiry that is none (PAY-22)", "exp", "1/2/3", "MM/YY"},
		{"an expiry in month 13", "exp", "13/30", "MM/YY"},
		{"the CVC beside the expiry", "exp", "12/30 987", "MM/YY"},
		{"an expiry in the past", "exp", "01/20", "This card has expired"},
		{"no CVC (PAY-57)", "cvc", "", "Enter the CVC"},
		{"a CVC of five digits (PAY-23)", "cvc", "98765", "3 or 4 digits"},
		{"no e-mail address (PAY-24)", "email", "x@y", "Invalid email"},
		{"another address in brackets", "email", "a1<target@x.co>", "Invalid email"},
		{"a broken address", "email", "a\xff@example.com", "Invalid email"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer := refused(t, app, path, card(tt.field, tt.value))
			text := html.UnescapeString(answer.Body)
			for _, want := range []string{"There is a problem", tt.problem, `href="#` + tt.field + `"`, `aria-invalid="true"`, "Pay $11.00"} {
				check.Contains(t, text, want, "the page lacks")
			}
			check.Equal(t, strings.Count(answer.Body, `aria-invalid="true"`), 1, "more than one field is marked")
			for _, secret := range []string{`value="987`, `value="4111`, "4111 1111 1111 1112", "98765", "4444444444"} {
				check.Lacks(t, answer.Body, secret, "the page repeats the number or the CVC")
			}
			if tt.field != "email" && !strings.Contains(answer.Body, `value="pat@example.com"`) {
				t.Error("the address for the receipt is lost")
			}
			if tt.field != "name" && !strings.Contains(answer.Body, `value="Pat Payer"`) {
				t.Error("the form lost what was typed")
			}
			expiry := "12/34"
			if tt.field == "exp" {
				expiry = tt.value
			}
			if (expiry == "12/34" || expiry == "01/20") && !strings.Contains(answer.Body, `value="`+expiry+`"`) {
				t.Error("the expiry is lost")
			}
			check.Equal(t, answer.Header.Get("Cache-Control"), "no-store", "the page may be kept")
		})
	}
	t.Run("an empty form (PAY-57)", func(t *testing.T) {
		answer := refused(t, app, path, url.Values{})
		check.Equal(t, strings.Count(answer.Body, `aria-invalid="true"`), 4, "status %d, fields marked", answer.Status)
	})
	t.Run("what was typed is shown escaped", func(t *testing.T) {
		answer := refused(t, app, path, card("name", `"><script>alert(1)</script>`, "email", `"><img src=x>`, "key", `"><b>`, "cvc", ""))
		if strings.Contains(answer.Body, "<script>alert") || strings.Contains(answer.Body, "<img src=x>") || strings.Contains(answer.Body, "<b>&") {
			t.Error("the page does not escape what was typed")
		}
	})
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt"), 0, "PAY-57 … attempts were made")
}

func TestAWrongFormForAnOrderThatCannotBePaid(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'expired' WHERE id = $1", id)
	for _, form := range []url.Values{card(), card("cvc", "")} {
		answer := app.Post(t, "/pos/panezski/"+id, form)
		if answer.Status == http.StatusSeeOther {
			answer = app.Get(t, answer.Location)
		}
		if !strings.Contains(answer.Body, "not paid in time") || strings.Contains(answer.Body, `name="card"`) {
			t.Errorf("%d: the page does not say that the order has expired", answer.Status)
		}
	}
}

func TestAnItemThatSoldOutBeforePaying(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'")
	answer := app.Post(t, "/pos/panezski/"+id, card())
	v := app.Visit(t, answer.Location).Has("Butter Croissant sold out in the meantime").HasNot("Pay $")
	if answer.Status != http.StatusSeeOther || state(v) != "unavailable" {
		t.Errorf("%d %q", answer.Status, state(v))
	}
	check.Lacks(t, v.Body, `value="987"`, "the page repeats the CVC, or the card was charged")
	check.Equal(t, len(app.Captures(t, id)), 0, "the page repeats the CVC, or the card was charged")
}

func TestMalformedFormsAreRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := "/pos/panezski/" + app.Order(t)
	for _, tt := range []struct {
		name, media, body string
		status            int
	}{
		{"JSON", "application/json", `{"card":"4111111111111111"}`, 415},
		{"files", "multipart/form-data; boundary=b", "--b--", 415},
		{"too much", "application/x-www-form-urlencoded", "name=" + strings.Repeat("n", 17<<10), 413},
		{"broken", "application/x-www-form-urlencoded", "card=4111111111111111&x=%zz", 400},
	} {
		answer := app.Do(t, http.MethodPost, path, strings.NewReader(tt.body), http.Header{"Content-Type": {tt.media}})
		check.Equal(t, answer.Status, tt.status, "%s", tt.name)
		check.Lacks(t, answer.Body, "4111", "%s", tt.name)
	}
}

func TestThreeDSecure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, button, view string }{
		{"approved by the customer (PAY-43)", "Approve", "success"},
		{"refused by the customer", "Refuse", "failure"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := app.Order(t)
			path := "/pos/panezski/" + id
			bank := app.Post(t, path, card("card", "4000 0000 0000 3220"))
			if bank.Status != http.StatusSeeOther || !strings.HasPrefix(bank.Location, app.URL+"/sandbox/") {
				t.Fatalf("%d to %q", bank.Status, bank.Location)
			}
			waiting := app.Visit(t, path)
			check.Equal(t, state(waiting), "waiting", "before the customer has answered the page shows")
			waiting.Has("Your bank wants to check that it is you").HasNot("Pay $")
			waiting.Follow("Continue to your bank").Press(tt.button)
			got, _, _ := strings.Cut(waiting.Path, "?")
			check.MustEqual(t, got, path, "the bank leads back to")
			// The page has just asked the bank, but asks again within a second.
			apptest.Eventually(t, "the page shows "+tt.view, func() bool { return state(app.Visit(t, path)) == tt.view })
		})
	}
	t.Run("a customer who comes straight back sees the outcome at once", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		bank := app.Post(t, "/pos/panezski/"+app.Order(t), card("card", "4000 0000 0000 3220"))
		check.Equal(t, state(app.Visit(t, bank.Location).Press("Approve")), "success", "state")
	})
	t.Run("the customer gives up", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		id := app.Order(t)
		app.Post(t, "/pos/panezski/"+id, card("card", "4000 0000 0000 3220"))
		v := app.Visit(t, "/pos/panezski/"+id).Press("Cancel and pay another way")
		check.MustEqual(t, state(v), "form", "it")
		if v.Press("Pay $11.00"); state(v) != "success" || len(app.Captures(t, id)) != 1 {
			t.Errorf("then the page shows %q, %d captures", state(v), len(app.Captures(t, id)))
		}
	})
}
