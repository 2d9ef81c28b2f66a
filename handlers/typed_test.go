package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
)

func TestAnAmountWithADecimalCommaIsNeverCharged(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	made := func() int { return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM paylink") }
	before := made()
	for _, amount := range []string{"12,50", "1,50", "10,00", "1,2,3", "1.250,00", "12 50", "€12.50"} {
		v := app.Visit(t, "/desk/panezski/links/new").Type("amount", amount).Type("to", "guest@example.com").Press("Make the link")
		v.Has("The amount has to be written like 12.50")
		check.Equal(t, v.Value("amount"), amount, "the field after %q", amount)
		app.Visit(t, "/desk/panezski/links/many").Type("rows",
			"amount\n\""+amount+"\"").Press("Make the links").Has("Row 2 the amount has to be written like 12.50")
	}
	check.Equal(t, made(), before, "links made of amounts that mean nothing")
	for amount, minor := range map[string]int{"$1,250.00": 125000, "1\u202f250": 125000, "１２.５０": 1250, "AUD 12.50": 1250} {
		app.Visit(t, "/desk/panezski/links/new").Type("amount", amount).Press("Make the link")
		app.Visit(t, "/desk/panezski/links/many").Type("rows", "amount\n\""+amount+"\"").Press("Make the links")
		const last = "SELECT string_agg(amount_minor::text, ' ') FROM (SELECT amount_minor FROM transaction ORDER BY created_at DESC LIMIT 2) t"
		check.Equal(t, dbtest.Value[string](t, app.Pool, last), fmt.Sprint(minor, minor), "%q", amount)
	}
	app.Visit(t, "/desk/panezski/payments/limits").Type("manager", "50,00").Press("Save").Has("like 12.50")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM refund_limit WHERE most_minor = 500000"), 0, "limits made of 50,00")
	v := app.Visit(t, "/desk/panezski/payments?amount=5,50")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "a search for 5,50")
	check.Equal(t, v.Value("amount"), "5,50", "the field of a search for 5,50")
}

// A card form without scripts takes what people paste.
func TestACardIsReadAsItIsPasted(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ card, exp, cvc, email string }{
		{"4111–1111–1111–1111", "exp 12/2034", "９８７", "\u200bpat@example.com"},
		{"4111\u20111111\u20111111\u20111111", "12\u202f/\u202f34", " 987\u200b", "\u202apat@example.com\u202c"},
		{"4111.1111.1111.1111", "１２/３４", "9 8 7", "pat@example.com "},
		{"\u202d4111\u200b1111\u200b1111\u200b1111\u202c", "122034", "987", "\u2060PAT@example.com"},
		{"٤١١١ ١١١١ ١١١١ ١١١١", "١٢/٣٤", "٩٨٧", ""},
	} {
		id := app.Order(t)
		app.Post(t, "/pos/panezski/"+id, url.Values{
			"name": {"\u2068Pat Payer\u2069"}, "card": {tt.card}, "exp": {tt.exp}, "cvc": {tt.cvc}, "email": {tt.email}, "key": {"one"},
		})
		stored := dbtest.Value[string](t, app.Pool, "SELECT payer_name || ' ' || card_last_four || ' ' || card_expiry FROM attempt WHERE transaction_id = $1", id)
		check.Equal(t, stored, "Pat Payer 1111 12/34", "%q", tt.card)
	}
}

// An é typed on a phone and on a computer may be one character or two.
func TestAPasswordIsTheSameOnAllDevices(t *testing.T) {
	t.Parallel()
	const one, two = "P\u00e4ssw\u00f6rt-1", "Pa\u0308sswo\u0308rt-1"
	app := apptest.New(t, apptest.Options{})
	signsIn := func(email, password string) bool {
		form := url.Values{"email": {email}, "password": {password}}
		return app.NewPerson(t).Post(t, "/signin", form).Status == http.StatusSeeOther
	}
	form := url.Values{"email": {"\u200bkim@example.com"}, "password": {one}, "confirm": {two}}
	app.NewPerson(t).Post(t, "/signup", form).Want(t, http.StatusSeeOther, "a password and its repetition in two forms")
	check.Equal(t, signsIn("kim@example.com", two), true, "the other form")
	check.Equal(t, signsIn("\u2060Kim@example.com\u200b", one), true, "the same form, beside what nobody sees")
	check.Equal(t, signsIn("kim@example.com", one+" "), false, "a space at the end")

	// Accounts from before have the hash of what was typed.
	old := dbtest.Value[string](t, app.Pool, "SELECT password_hash FROM account WHERE email = 'kim@example.com'")
	hash, err := secret.NewHasher().Hash(t.Context(), secret.New(two))
	check.Must(t, err)
	dbtest.Exec(t, app.Pool, "UPDATE account SET password_hash = $1 WHERE email = 'kim@example.com'", hash)
	check.Equal(t, signsIn("kim@example.com", two), true, "as it was typed")
	check.Equal(t, signsIn("kim@example.com", one), true, "in one form from then on")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT password_hash FROM account WHERE email = 'kim@example.com'") == old, false, "the hash")
}

func TestTextsComeWithoutWhatNobodySees(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for name, want := range map[string]string{
		"\u2068Jose\u0301\u2069": "José", "\u202aAnn\u202c": "Ann", "Ann\u200b\r\nLee": "Ann Lee", "\ufeff李": "李",
	} {
		body := map[string]any{"merchantId": "panezski", "name": name, "order": []any{map[string]any{"name": "Butter Croissant", "qty": 1}}}
		answer := app.PostJSON(t, "/api/pos", body)
		answer.Want(t, http.StatusCreated, "the name "+name)
		id := apptest.JSON[struct{ TrxID string }](t, answer).TrxID
		check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT customer_name FROM transaction WHERE id = $1", id), want, "%q", name)
	}
	app.Post(t, "/account", url.Values{"do": {"name"}, "name": {"\u200bZoe\u0308 \u2060 Lee"}})
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT name FROM account WHERE email = 'demo@forecourt.test'"), "Zoë Lee", "the name of an account")
}
