package desk_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// gatewayRefunds returns the gateway's refunds of a payment, in dollars and cents.
func gatewayRefunds(t *testing.T, app *apptest.App, trx string) (amounts []string) {
	t.Helper()
	for _, entry := range app.Captures(t, trx) {
		if entry.Kind == "refund" {
			amounts = append(amounts, entry.Amount)
		}
	}
	return amounts
}

// preview returns the form that the preview of a refund leads to.
func preview(t *testing.T, app *apptest.App, trx string, form url.Values) url.Values {
	t.Helper()
	form.Set("do", "preview")
	v := app.Visit(t, "/desk/panezski/payments/"+trx+"/refund")
	got := app.Post(t, v.Path, form)
	got.Must(t, http.StatusOK, "the preview")
	confirmed := url.Values{"do": {"refund"}}
	for _, name := range []string{"key", "seen", "minor", "how", "amount", "reason", "qty-1"} {
		if _, rest, found := strings.Cut(got.Body, `name="`+name+`" value="`); found {
			value, _, _ := strings.Cut(rest, `"`)
			confirmed.Set(name, value)
		}
	}
	return confirmed
}

func TestARefundOnScreen(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	id := sale(t, app, "4111111111111111", "pat@example.com")
	app.Mails(t, "pat@example.com", 1) // the receipt, before the letter about the refund
	v := app.Visit(t, "/desk/panezski/payments/"+id).Follow("Make a refund").Has("$11.00 is left", "Butter Croissant", "$5.50 each, 2 left")
	v.Press("Check the refund").Has("Enter a reason", "Choose what to refund")
	v.Tick("how", "lines").Type("reason", "It was cold").Press("Check the refund").Has("Choose what to refund")
	v.Type("qty-1", "1").Press("Check the refund")
	v.Has("Refund $5.50?", "Visa ending in 1111", "1 × Butter Croissant The kitchen will not make it.", "You keep", "$5.50", "It was cold",
		"Refund of $5.50 from Panezski", "Panezski refunded $5.50 to the card you paid with.")
	v.Press("Refund $5.50").Has("$5.50 was refunded.", "Partly refunded", "demo@forecourt.test asked to refund $5.50",
		"1 × Butter Croissant. It was cold", "1 refunded")
	if mail := app.Mails(t, "pat@example.com", 2)[1]; mail.Subject != "Refund of $5.50 from Panezski" || strings.Contains(mail.Plain, "cold") {
		t.Errorf("the payer reads %q: %s", mail.Subject, mail.Plain)
	}
	app.Visit(t, "/desk/panezski/payments/"+id).Follow("Make a refund").Has("Refunds so far", "1 left")
	got := app.Post(t, "/desk/panezski/payments/"+id+"/refund", url.Values{"do": {"preview"}, "how": {"lines"}, "qty-1": {"2"}, "reason": {"x"}})
	got.Want(t, http.StatusUnprocessableEntity, "more of a line than is left", "Choose no more than are left to refund")
	v = app.Visit(t, "/desk/panezski/payments/"+id+"/refund").Tick("how", "amount").Type("amount", "5.51").Type("reason", "x").Press("Check the refund")
	v.Has("Enter no more than is left to refund").Type("amount", "$1.50").Type("reason", "card 4111 1111 1111 1111").Press("Check the refund").Has("This looks like a card number. Leave it out.")
	v.Type("reason", "Late").Press("Check the refund").Press("Change").Has("Make a refund")
	check.Equal(t, v.Value("amount"), "$1.50", "Change lost what was typed: amount")
	check.Equal(t, v.Value("reason"), "Late", "Change lost what was typed: amount")
	v.Press("Check the refund").Has("Refund $1.50?", "It still makes the order").Press("Refund $1.50").Has("$1.50 was refunded.")
	app.Visit(t, "/desk/panezski/payments/"+id+"/refund").Tick("how", "whole").Type("reason",
		"All").Press("Check the refund").Has("Refund $4.00?", "will not make what is not made yet").Press("Refund $4.00").
		Has("$4.00 was refunded.", "$11.00 Refunded", "Kept $0.00").HasNot("Make a refund")
	check.Equal(t, strings.Join(gatewayRefunds(t, app, id), " "), "5.50 1.50 4.00", "the gateway refunded")
	audited := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'refund' AND subject = 'shop panezski' AND actor = 'demo@forecourt.test'")
	check.Equal(t, audited, 3, "refunds in the log")
}

func TestARefundIsPaidBackOnce(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	form := func() url.Values { return url.Values{"how": {"amount"}, "amount": {"3"}, "reason": {"x"}} }
	t.Run("by a form that is sent ten times at once", func(t *testing.T) {
		t.Parallel()
		id := sale(t, app, "4111111111111111", "")
		confirmed := preview(t, app, id, form())
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() { app.Post(t, "/desk/panezski/payments/"+id+"/refund", confirmed) })
		}
		wait.Wait()
		again := app.Post(t, "/desk/panezski/payments/"+id+"/refund", confirmed)
		check.Equal(t, len(gatewayRefunds(t, app, id)), 1, "refunded")
		again.Want(t, http.StatusSeeOther, "refunded")
	})
	t.Run("by two people who looked at the same time", func(t *testing.T) {
		t.Parallel()
		id := sale(t, app, "4111111111111111", "")
		first, second := preview(t, app, id, form()), preview(t, app, id, form())
		app.Post(t, "/desk/panezski/payments/"+id+"/refund", first).Must(t, http.StatusSeeOther, "the first")
		app.Post(t, "/desk/panezski/payments/"+id+"/refund", second).Want(t, http.StatusConflict, "the second",
			"Somebody else made a refund in the meantime.")
		back := gatewayRefunds(t, app, id)
		check.Equal(t, len(back), 1, "refunded %v", back)
		// A person who has seen the first refund may refund the same amount again.
		app.Post(t, "/desk/panezski/payments/"+id+"/refund", preview(t, app, id, form())).Want(t, http.StatusSeeOther,
			"the same amount on purpose")
		back = gatewayRefunds(t, app, id)
		check.Equal(t, len(back), 2, "refunded %v", back)
	})
	t.Run("by two people while the first refund is undecided", func(t *testing.T) {
		t.Parallel()
		id := sale(t, app, "4000000000007726", "")
		other := app.NewPerson(t).SignUp(t, "second@example.com")
		dbtest.Value[string](t, app.Pool, `INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, 'manager' FROM account WHERE email = 'second@example.com' RETURNING role`)
		page := "/desk/panezski/payments/" + id + "/refund"
		first, second, less := preview(t, app, id, form()), preview(t, other, id, form()), preview(t, other, id, url.Values{"how": {"amount"}, "amount": {"2"}, "reason": {"x"}})
		if got := app.Post(t, page, first); got.Status != http.StatusSeeOther || !strings.HasSuffix(got.Location, "?refund=pending") {
			t.Fatalf("the first: %d %s", got.Status, got.Location)
		}
		for name, confirmed := range map[string]url.Values{"the same amount": second, "less": less} {
			got := other.Post(t, page, confirmed)
			if got.Status != http.StatusConflict || !strings.Contains(got.Body, "A refund of $3.00 by demo@forecourt.test is being made. Yours was not sent, so nothing is refunded twice.") {
				t.Errorf("%s by the second: %d", name, got.Status)
			}
		}
		app.Post(t, page, first).Want(t, http.StatusSeeOther, "the first person's form again")
		check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT string_agg(requested_by || ' ' || amount_minor, ', ') FROM refund WHERE transaction_id = $1", id), "demo@forecourt.test 300",
			"the refunds")
	})
	t.Run("not for another business's payment", func(t *testing.T) {
		t.Parallel()
		id := sale(t, app, "4111111111111111", "")
		confirmed := preview(t, app, id, form())
		if got := app.Post(t, "/desk/moollar/payments/"+id+"/refund", confirmed); got.Status != http.StatusNotFound || len(gatewayRefunds(t, app, id)) > 0 {
			t.Errorf("%d, refunded %v", got.Status, gatewayRefunds(t, app, id))
		}
	})
}

func TestTheScreenSaysWhatTheGatewayAnswered(t *testing.T) {
	t.Parallel()
	for number, want := range map[string][]string{
		"4000000000005126": {"$3.00 could not be refunded.", "Paid"},
		"4000000000007726": {
			"The refund of $3.00 is not decided yet. We keep asking", "Now The refund of $3.00 is not decided yet We keep asking",
			"Wait for it before you refund more",
		},
		"4000000000000507": {
			"The refund of $3.00 is not decided yet. We keep asking", "Now The refund of $3.00 is not decided yet We keep asking",
		},
	} {
		t.Run(number, func(t *testing.T) {
			t.Parallel()
			app := apptest.SignedIn(t)
			id := sale(t, app, number, "")
			confirmed := preview(t, app, id, url.Values{"how": {"amount"}, "amount": {"3"}, "reason": {"x"}})
			got := app.Post(t, "/desk/panezski/payments/"+id+"/refund", confirmed)
			app.Visit(t, got.Location).Has(want...)
		})
	}
}

func TestThePageSaysThatARestoreClosedAPayment(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := sale(t, app, "4111111111111111", "")
	confirmed := preview(t, app, id, url.Values{"how": {"whole"}, "reason": {"x"}})
	dbtest.Exec(t, app.Pool, "INSERT INTO restore (backup_at) VALUES (now())")
	got := app.Post(t, "/desk/panezski/payments/"+id+"/refund", confirmed)
	if got.Status != http.StatusConflict || !strings.Contains(got.Body, "The server was restored from a backup.") || len(gatewayRefunds(t, app, id)) > 0 {
		t.Errorf("%d, refunded %v", got.Status, gatewayRefunds(t, app, id))
	}
	app.Visit(t, "/desk/panezski/payments/"+id).Has("The server was restored from a backup.").HasNot("Make a refund")
}

func TestEachRoleRefundsUpToItsLimit(t *testing.T) {
	t.Parallel()
	owner := apptest.SignedIn(t)
	people := map[string]*apptest.App{}
	for _, role := range []string{"manager", "floor", "viewer"} {
		people[role] = owner.NewPerson(t)
		people[role].SignUp(t, role+"@example.com")
		dbtest.Exec(t, owner.Pool, `INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, $2 FROM account WHERE email = $1`, role+"@example.com", role)
	}
	owner.Visit(t, "/desk/panezski/payments").Follow("Limits of roles").Type("manager", "x").Press("Save").Has("Enter an amount like 12.50").
		Type("manager", "5.00").Press("Save").Has("Saved.")
	id := sale(t, owner, "4111111111111111", "")
	page := "/desk/panezski/payments/" + id + "/refund"
	give := func(app *apptest.App, amount string) apptest.Answer {
		t.Helper()
		return app.Post(t, page, preview(t, app, id, url.Values{"how": {"amount"}, "amount": {amount}, "reason": {"x"}}))
	}
	give(people["manager"], "3.00").Want(t, http.StatusSeeOther, "a manager refunds $3.00 of $5.00")
	ask := url.Values{"do": {"preview"}, "how": {"amount"}, "amount": {"2.01"}, "reason": {"x"}}
	people["manager"].Post(t, page, ask).Want(t, http.StatusConflict, "a manager previews $2.01 more", "at most $2.00 of this payment")
	// The limit holds, whatever form is sent.
	forged := preview(t, people["manager"], id, url.Values{"how": {"amount"}, "amount": {"2.00"}, "reason": {"x"}})
	forged.Set("minor", "201")
	people["manager"].Post(t, page, forged).Want(t, http.StatusConflict, "a manager refunds $2.01 more", "more than your role may refund")
	people["floor"].Post(t, page, ask).Want(t, http.StatusConflict, "floor staff", "may not refund any more")
	for _, do := range []string{"preview", "refund"} {
		ask.Set("do", do)
		people["viewer"].Post(t, page, ask).Want(t, http.StatusForbidden, "a viewer's "+do)
	}
	people["viewer"].Visit(t, "/desk/panezski/payments/"+id).Has("Your role may not make refunds.").HasNot("Make a refund")
	people["manager"].Post(t, "/desk/panezski/payments/limits", url.Values{"manager": {""}}).Want(t, http.StatusForbidden,
		"a manager changes the limits")
	check.Equal(t, strings.Join(gatewayRefunds(t, owner, id), " "), "3.00", "refunded")
	said := dbtest.Value[string](t, owner.Pool, "SELECT reason FROM audit WHERE action = 'refund limit changed'")
	check.Equal(t, said, "manager: $200.00 to $5.00", "the log says")
}

func TestMoreThanAManagerMayRefundAsksAgain(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/panezski/payments/limits").Type("manager", "5.00").Press("Save").Has("Saved.")
	id := sale(t, app, "4111111111111111", "")
	page := "/desk/panezski/payments/" + id + "/refund"
	give := func(amount string) apptest.Answer {
		return app.Post(t, page, preview(t, app, id, url.Values{"how": {"amount"}, "amount": {amount}, "reason": {"x"}}))
	}
	dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - interval '11 minutes', proved_at = NULL")
	// The lines decide the amount, whatever a form claims.
	lines := preview(t, app, id, url.Values{"how": {"lines"}, "qty-1": {"1"}, "reason": {"x"}})
	lines.Set("minor", "1")
	app.Post(t, page, lines).Leads(t, "/kept/…", "a line of $5.50 as one cent")
	check.Equal(t, len(gatewayRefunds(t, app, id)), 0, "a line of $5.50 as one cent")
	lines.Set("qty-1", "-1")
	app.Post(t, page, lines).Want(t, http.StatusBadRequest, "a negative number of lines")
	if got := give("3.00"); got.Status != http.StatusSeeOther || strings.HasPrefix(got.Location, "/kept/") {
		t.Errorf("$3.00 of $5.00: %d %s", got.Status, got.Location)
	}
	asked := give("2.01")
	asked.Leads(t, "/kept/…", "$5.01 altogether")
	check.Equal(t, strings.Join(gatewayRefunds(t, app, id), " "), "3.00", "before the proof … was refunded")
	app.Visit(t, asked.Location).Type("password", demo.Password).Press("Confirm and continue").Has("$2.01 was refunded.")
	check.Equal(t, strings.Join(gatewayRefunds(t, app, id), " "), "3.00 2.01", "after the proof … was refunded")
}

func TestARefundAboveTheLimitIsHandedToAnOwner(t *testing.T) {
	t.Parallel()
	owner := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	people := map[string]*apptest.App{}
	for _, role := range []string{"manager", "floor"} {
		people[role] = owner.NewPerson(t)
		people[role].SignUp(t, role+"@example.com")
		dbtest.Exec(t, owner.Pool, `INSERT INTO shop_member (shop_code, account_id, role)
			SELECT 'panezski', id, $2 FROM account WHERE email = $1`, role+"@example.com", role)
	}
	id := sale(t, owner, "4111111111111111", "")
	payment := "/desk/panezski/payments/" + id
	people["manager"].Visit(t, payment+"/refund").HasNot("at most", "Ask an owner") // $200.00 of $11.00 is no limit
	v := people["floor"].Visit(t, payment+"/refund").Has("Your role may not make this refund. An owner can.").
		HasNot("any more", "Check the refund")
	v.Press("Ask an owner").Has("Enter a reason", "Choose what to refund")
	v.Tick("how", "lines").Type("qty-1", "1").Type("reason", "It was cold").Press("Ask an owner")
	v.Has("floor@example.com asked an owner to refund $5.50", "It was cold", "We told the owners.").HasNot("Say no")
	people["floor"].Visit(t, payment+"/refund").Has("We told the owners.").Hides("button", "value=ask")
	people["floor"].Post(t, payment+"/refund", url.Values{"do": {"ask"}, "how": {"whole"}, "reason": {"x"}}).Leads(t, payment, "asking twice")
	people["floor"].Post(t, payment+"/refund", url.Values{"do": {"no"}}).Want(t, http.StatusForbidden, "floor staff say no")
	check.Equal(t, dbtest.Value[string](t, owner.Pool, "SELECT asked_by || amount_minor || refused_by FROM refund_ask"),
		"floor@example.com550", "what is asked")
	_, err := owner.Events.Number(t.Context())
	check.Must(t, errors.Join(err, owner.Notices.Send(t.Context(), time.Now().Add(time.Hour))))
	letter := owner.Letter(t, "demo@forecourt.test", "You are asked to refund $5.50")
	check.Contains(t, letter.Plain, payment+"/refund", "the letter")
	check.Equal(t, len(gatewayRefunds(t, owner, id)), 0, "before an owner answers … refunds were made")

	owner.Visit(t, payment).Press("Say no").Has("floor@example.com asked an owner to refund $5.50. demo@forecourt.test said no.")
	people["floor"].Post(t, payment+"/refund", url.Values{"do": {"ask"}, "how": {"lines"}, "qty-1": {"1"}, "reason": {"Cold again"}}).
		Leads(t, payment, "asking again after a no")
	v = owner.Visit(t, payment).Follow("See the refund")
	check.Equal(t, v.Value("reason"), "Cold again", "the owner's form")
	v.Press("Check the refund").Has("Refund $5.50?").Press("Refund $5.50").Has("$5.50 was refunded.").HasNot("asked an owner")
	check.Equal(t, strings.Join(gatewayRefunds(t, owner, id), " "), "5.50", "refunded")
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM refund_ask"), 0, "asked after the owner's refund")
}

func TestAManagerWhoseLimitEndsAsksForTheRest(t *testing.T) {
	t.Parallel()
	owner := apptest.SignedIn(t)
	dbtest.Exec(t, owner.Pool, "INSERT INTO refund_limit (shop_code, role, most_minor) VALUES ('panezski', 'manager', 500)")
	manager := owner.NewPerson(t)
	manager.SignUp(t, "manager@example.com")
	dbtest.Exec(t, owner.Pool, `INSERT INTO shop_member (shop_code, account_id, role)
		SELECT 'panezski', id, 'manager' FROM account WHERE email = 'manager@example.com'`)
	id := sale(t, owner, "4111111111111111", "")
	v := manager.Visit(t, "/desk/panezski/payments/"+id+"/refund").Has("You may refund at most $5.00 of this payment yourself.")
	v.Hides("button", "value=ask")
	v.Tick("how", "amount").Type("amount", "6.00").Type("reason", "x").Press("Check the refund").Has("For more, ask an owner.")
	check.Equal(t, v.Value("amount"), "6.00", "what was typed")
	v.Press("Ask an owner").Has("manager@example.com asked an owner to refund $6.00")
	manager.Visit(t, "/desk/panezski/payments/"+id+"/refund").Tick("how", "amount").Type("amount", "5.00").Type("reason", "x").
		Press("Check the refund").Press("Refund $5.00").Has("$5.00 was refunded.", "asked an owner to refund $6.00")
	check.Equal(t, strings.Join(gatewayRefunds(t, owner, id), " "), "5.00", "refunded")
}
