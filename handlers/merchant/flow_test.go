package merchant_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	view "forecourt/views/merchant"
)

func TestBecomingAMerchant(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	// ADMIN-06: a link toggles between the two forms.
	app.Visit(t, "/merchant/admin").Shows("section", "class=entrance") // as the sign-in page has it
	app.Visit(t, "/merchant/admin").Has("No account yet? Create one here").Follow("Create one here").Has("Already have an account? Sign in here")
	app.Visit(t, "/merchant/admin?r").Shows("input", "name=confirm") // ADMIN-01
	app.Visit(t, "/merchant/admin").Hides("input", "name=confirm")   // ADMIN-01
	app.SignUp(t, "ann@example.com")

	v := app.Visit(t, "/merchant/admin").Has("Welcome", "Step 1 of 3")
	v.Type("firstName", "A").Type("lastName", "Lee").Type("name", "Joe's Fish & Chips").Press("Next").Has("Enter your first name, with two characters or more.")
	t.Run("the first step asks for the names (ADMIN-07 SEC-06 SEC-05)", func(t *testing.T) {
		if v.Find("input", "name=firstName") == nil || v.Find("input", "name=lastName") == nil || v.Find("input", "name=name") == nil {
			t.Error("the first step does not ask for the names")
		}
	})
	v.Want(t, http.StatusUnprocessableEntity, "ADMIN-08 a name of one character")
	check.Equal(t, v.Value("lastName"), "Lee", "ADMIN-08 a name of one character")
	check.Equal(t, app.Get(t, "/merchant/admin?step=products").Location, "/merchant/admin?step=welcome", "ADMIN-09 a later step leads to")
	t.Run("after the names comes the first question (ADMIN-10 ADMIN-12)", func(t *testing.T) {
		v.Type("firstName", "Ann").Press("Next")
		check.Contains(t, v.Text(), "Are you building custom software", "after the names comes")
		v.Shows("input", "type=radio", "value=own")      // ADMIN-14
		v.Shows("input", "type=radio", "value=solution") // ADMIN-14
	})
	t.Run("the page holds the sign-up information, without the password (ADMIN-13 ADMIN-40 ADMIN-41)", func(t *testing.T) {
		kept := `{"firstName":"Ann","lastName":"Lee","name":"Joe's Fish \u0026 Chips","shortCode":"joesfish","email":"ann@example.com",` +
			`"products":[],"answers":{},"signIn":true,"showPass":false,"basicInfoDone":true,"error":""}`
		check.Equal(t, strings.TrimSpace(v.Find("script", "id=signup-info").FirstChild.Data), kept, "the sign-up information")
	})
	answer := func(question, choice string) apptest.Answer {
		return app.Post(t, "/merchant/admin?step="+question, url.Values{"answer": {choice}})
	}
	answer("kind", "nothing").Want(t, http.StatusUnprocessableEntity, "ADMIN-14 an unknown answer", view.ChooseAnswer)
	check.Equal(t, answer("kind", "solution").Location, "/merchant/admin?step=refer",
		"who offers a solution is asked about referring clients (ADMIN-17)")
	check.Equal(t, answer("refer", "no").Location, "/merchant/admin?step=chain", "ADMIN-19 leads to")
	// Go back to the first question on another device: the answers are there.
	other := app.NewPerson(t).SignInAs(t, "ann@example.com")
	other.Visit(t, "/merchant/admin").Has("Are you a chain or a franchise?")
	check.Equal(t, answer("kind", "own").Location, "/merchant/admin?step=scope", "who builds software is asked for whom (ADMIN-15)")
	check.Equal(t, answer("scope", "us").Location, "/merchant/admin?step=products", "ADMIN-16 leads to")
	v = app.Visit(t, "/merchant/admin?s=ECOM,zzz")
	check.Contains(t, v.Text(), "What we recommend", "after the questions come the products (ADMIN-11)")
	for code, ticked := range map[string]bool{"api": true, "tsdk": true, "ecom": true, "lbs": false} {
		check.Equal(t, ticks(v, "id=product-"+code), ticked, "ADMIN-04 ADMIN-22 %s ticked", code)
	}
	app.Post(t, "/merchant/admin?step=products", nil).Want(t, http.StatusUnprocessableEntity, "nothing ticked", view.ChooseProduct)
	app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"api", "zzz"}}).Want(t, http.StatusUnprocessableEntity,
		"an unknown product")
	submit := url.Values{"product": {"api", "ecom"}, "option.api": {"Card Payments"}, "option.ecom": {"Hosted Payment Pages"}, "option.lbs": {"Invoicing"}}
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() { app.Post(t, "/merchant/admin?step=products", submit) })
	}
	both.Wait()
	var merchants int
	var code, products string
	check.Must(t, app.Pool.QueryRow(t.Context(), `SELECT count(*), min(code), min(products::text) FROM merchant WHERE name = $1`,
		"Joe's Fish & Chips").Scan(&merchants, &code, &products))
	check.Equal(t, merchants, 1, "submitting four times makes one merchant (ADMIN-25)")
	check.Equal(t, code, "joesfish", "submitting four times makes one merchant (ADMIN-25)")
	t.Run("only the chosen products and options are stored (ADMIN-23 ADMIN-24)", func(t *testing.T) {
		if strings.Contains(products, "EMV") || strings.Contains(products, "Invoicing") || !strings.Contains(products, "Hosted Payment Pages") {
			t.Errorf("products are %s", products)
		}
	})
	v = app.Visit(t, "/merchant/admin")
	check.Equal(t, dbtest.Value[string](t, app.Pool, `SELECT string_agg(a.email, ' ') FROM merchant_admin m JOIN account a ON a.id = m.account_id
		JOIN merchant ON merchant.uuid = m.merchant_uuid WHERE merchant.name = 'Joe''s Fish & Chips'`), "ann@example.com", "DOC-06 the admins list")
	for _, want := range []string{
		"Integration Dashboard", "Joe's Fish & Chips", "Payments API", "Documentation", "One call charges a card.",
		"Take card payments from your own software with one signed JSON call.", "Send your shop's customers to our payment page",
	} {
		check.Contains(t, v.Text(), want, "ADMIN-26 ADMIN-27 ADMIN-28 ADMIN-30 ADMIN-31 the dashboard does not show")
	}
	for folds := range v.Find("dl", "class=facts").Ancestors() {
		check.Equal(t, folds.Data == "details", false, "ADMIN-31 the notes are folded")
	}
	check.Lacks(t, v.Body, "card-tsdk", "the dashboard has the cards of the chosen products alone (ADMIN-28)")
	check.Contains(t, v.Body, "card-ecom", "the dashboard has the cards of the chosen products alone (ADMIN-28)")
	app.Visit(t, "/merchant/admin?s=zzz").Has("Integration Dashboard")
}

// ticks reports whether a box with an attribute, such as "id=product-api", is ticked.
func ticks(v *apptest.Visitor, attribute string) bool {
	for _, a := range v.Find("input", attribute).Attr {
		if a.Key == "checked" {
			return true
		}
	}
	return false
}

func TestTheCreateCall(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	body := map[string]any{"uid": "x", "name": "Zoë's Café Bar", "products": []any{"api", map[string]any{"code": "lbs", "options": []string{"Invoicing"}}}}
	same := []string{"Sec-Fetch-Site", "same-origin"}
	app.PostJSON(t, "/api/create", body, same...).Want(t, http.StatusUnauthorized, "signed out")
	app.SignUp(t, "zoe@example.com")
	app.PostJSON(t, "/api/create", body, same...).Want(t, http.StatusForbidden, "a forged uid is refused (API-02)")
	uid := dbtest.Value[string](t, app.Pool, `SELECT id::text FROM account WHERE email = 'zoe@example.com'`)
	body["uid"], body["signupInfo"] = uid, map[string]any{"firstName": "Zoë", "password": "geheim"}
	type answer struct {
		Merchant struct {
			UID, UUID, Code, Name, Key, MID string
			SignupInfo                      map[string]string
			Products                        []struct {
				Code, Name string
				Options    []string
			}
		}
	}
	got := app.PostJSON(t, "/api/create", body, same...)
	made := apptest.JSON[answer](t, got).Merchant
	t.Run("the merchant is made and answered with all its fields (ADMIN-46 ADMIN-51 API-02)", func(t *testing.T) {
		if got.Status != http.StatusCreated || made.Code != "zoescafe" || made.Key == "" || made.MID == "" || len(made.Products) != 2 || len(made.Products[0].Options) != 4 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		if made.UID != uid || made.UUID == "" || made.UUID == uid || made.Name != "Zoë's Café Bar" || made.SignupInfo["firstName"] != "Zoë" {
			t.Errorf("the merchant is %+v", made)
		}
		var wire struct{ Merchant map[string]json.RawMessage }
		check.Must(t, json.Unmarshal([]byte(got.Body), &wire))
		want := []string{"code", "key", "mid", "name", "products", "signupInfo", "uid", "uuid"}
		check.List(t, slices.Sorted(maps.Keys(wire.Merchant)), want, "the fields")
		for i, want := range []struct {
			name    string
			options []string
		}{
			{"Payments API", []string{"Card Payments", "Direct Debit/Credit", "Alternative Payments", "EMV"}},
			{"Payments on the go", []string{"Invoicing"}},
		} {
			if i >= len(made.Products) || made.Products[i].Name != want.name || !slices.Equal(made.Products[i].Options, want.options) {
				t.Errorf("the products are %+v", made.Products)
			}
		}
	})
	if _, kept := made.SignupInfo["password"]; kept {
		t.Error("the sign-up information keeps the password")
	}
	again := app.PostJSON(t, "/api/create", body, same...)
	again.Want(t, http.StatusOK, "creating the same merchant again")
	check.Equal(t, apptest.JSON[answer](t, again).Merchant.UUID, made.UUID, "creating the same merchant again")
	t.Run("a short code that is taken gets a number (ADMIN-41)", func(t *testing.T) {
		for name, want := range map[string]string{"Zoes Cafe Two": "zoescafe-2", "!!! ???": "shop-", "Panezski": "panezski-2", "水 火": "shop-"} {
			body["name"] = name
			if got := apptest.JSON[answer](t, app.PostJSON(t, "/api/create", body, same...)).Merchant.Code; !strings.HasPrefix(got, want) {
				t.Errorf("%q has the code %q", name, got)
			}
		}
	})
	for _, name := range []string{strings.Repeat("x", 500), "x", "", "45391488/03436467"} {
		body["name"] = name
		check.Equal(t, app.PostJSON(t, "/api/create", body, same...).Status, http.StatusUnprocessableEntity, "a name of %d bytes", len(name))
	}
}

func TestMerchantsPerDayAreLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, "zoe@example.com")
	create := func(name string) apptest.Answer {
		return app.PostJSON(t, "/api/create", map[string]any{"name": name, "products": []string{"api"}}, "Sec-Fetch-Site", "same-origin")
	}
	for n := range 20 {
		got := create(fmt.Sprintf("Number %d", n))
		check.MustEqual(t, got.Status, http.StatusCreated, "merchant %d: %s", n+1, got.Body)
	}
	create("Number 0").Want(t, http.StatusOK, "a merchant that there is already")
	create("One more").Want(t, http.StatusTooManyRequests, "merchant 21", "You have made 20 businesses within a day.").HasHeader(t,
		"Retry-After", "…")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Zoë"}, "lastName": {"Lee"}, "name": {"On a page"}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	app.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"yes"}})
	got := app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"lbs"}})
	got.Want(t, http.StatusTooManyRequests, "on the page", "You have made 20 businesses within a day. Please make more tomorrow.",
		`value="lbs"`)
}

// The team and the books name people, so the name that the first step asks for becomes the account's, unless it has one.
func TestFirstStepNamesTheAccount(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	signedUp(t, app, "ann@example.com", "Ann's Apples")
	check.Equal(t, app.Visit(t, "/account").Value("name"), "Ann Lee", "the account's name")
	app.Visit(t, "/account").Type("name", "Annie").Press("Save name")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Anna"}, "lastName": {"Leigh"}, "name": {"Ann's Pears"}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"own"}})
	app.Post(t, "/merchant/admin?step=scope", url.Values{"answer": {"us"}})
	app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"api"}})
	check.Equal(t, app.Visit(t, "/account").Value("name"), "Annie", "a name that was chosen became")
}
