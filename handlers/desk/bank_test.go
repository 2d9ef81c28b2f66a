package desk_test

import (
	"net/http"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/site/legal"
	"forecourt/internal/upkeep/demo"
)

const bank = "/desk/panezski/payouts/account"

func say(t *testing.T, by *apptest.App, number string) apptest.Answer {
	t.Helper()
	return by.Post(t, bank, url.Values{"do": {"typed"}, "name": {"Panezski  Pty Ltd"}, "bsb": {"062 - 187"}, "number": {number}})
}

func join(t *testing.T, app *apptest.App, role string) {
	t.Helper()
	dbtest.Exec(t, app.Pool,
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, $1 FROM account WHERE email = 'bob@example.com'", role)
}

func waiting(t *testing.T, app *apptest.App) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT '/staff/bank-accounts/' || id FROM payout_account WHERE passed_at IS NULL")
}

func TestTheAccountBeforeIsPaidUntilTheAcquirerHasTheNewOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	staff, other := app.NewPerson(t).SignInStaff(t), app.NewPerson(t).SignUp(t, "bob@example.com")
	app.SignIn(t)
	join(t, app, "owner")

	app.Visit(t, "/desk/panezski/payouts").Follow("Your bank account").Has("Tell us before you go live").HasNot("Change the account")
	bad := say(t, app, "1234")
	bad.Want(t, http.StatusUnprocessableEntity, "a number of 4 digits", "An account number has 5 to 9 digits", "value=\"Panezski  Pty Ltd\"")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM payout_account"), 0, "accounts after a wrong one")

	say(t, app, "4041 7293").Leads(t, bank+"?done", "the first account")
	app.Visit(t, bank+"?done").Has("Panezski Pty Ltd", "062-187 •••••293", "not passed on yet", "Every owner gets an email").
		HasNot("40417293", "Payouts go to")
	for _, to := range []string{demo.Email, "bob@example.com"} {
		letter := app.Letter(t, to, "Panezski asked to be paid into another account")
		check.Contains(t, letter.Plain, demo.Email+" asked", "the letter")
		check.Contains(t, letter.Plain, "062-187 •••••293", "the letter")
		check.Lacks(t, letter.Plain, "40417293", "the letter")
	}
	readable := dbtest.Value[bool](t, app.Pool, "SELECT position('40417293'::bytea IN sealed) > 0 FROM payout_account")
	check.Equal(t, readable, false, "the number is readable in the database")

	staff.Visit(t, "/staff/bank-accounts").Has("Panezski", "To pass on 1")
	first := waiting(t, app)
	staff.Visit(t, first).Has("062187", "40417293").HasNot("Paid into until then").
		Tick("decision", "passed").Press("Record decision").Has("No account waits")
	staff.Visit(t, first).Has("062-187 •••••293", "recorded that the acquirer has it").HasNot("40417293")
	app.Letter(t, "bob@example.com", "Panezski is paid into another account from now on")
	app.Visit(t, "/desk/panezski/payouts").Has("Paid into Panezski Pty Ltd, 062-187 •••••293.")

	// Two more are asked for; of the two only the later one can be passed on, and nothing else is paid until then.
	say(t, app, "55555111")
	overtaken := waiting(t, app)
	say(t, other, "66666222")
	staff.Post(t, overtaken, url.Values{"decision": {"passed"}}).Want(t, http.StatusNotFound, "passing on an account that was replaced")
	app.Visit(t, bank).Has("Payouts go to Account name Panezski Pty Ltd BSB and account number 062-187 •••••293",
		"062-187 •••••222", "not passed on yet").HasNot("•••••111")
	app.Visit(t, "/desk/panezski/payouts").Has("•••••293").HasNot("•••••222")
	second := waiting(t, app)
	staff.Post(t, second, url.Values{"decision": {"returned"}}).Want(t, http.StatusUnprocessableEntity, "without a reason", "Say why")
	staff.Post(t, second, url.Values{"decision": {"returned"}, "reason": {"It is closed"}})
	app.Letter(t, demo.Email, "We need another account for Panezski")
	app.Visit(t, bank).Has("We cannot pass this account on", "It is closed", "•••••293")
	staff.Post(t, second, url.Values{"decision": {"passed"}}).Want(t, http.StatusConflict, "passing on an account that was sent back")

	check.Equal(t, dbtest.Value[string](t, app.Pool,
		`SELECT string_agg(split_part(actor, '@', 1) || ' ' || replace(action, 'payout account ', '') || ' ' ||
			right(split_part(reason, E'\n', 1), 3), ', ' ORDER BY id)
		FROM audit WHERE subject = 'payout account panezski' AND action <> 'payout account viewed'`),
		"demo waiting 293, staff passed 293, demo waiting 111, bob waiting 222, staff returned 222", "the audit log")
}

func TestTheFeesOfAPayoutHaveAnInvoice(t *testing.T) {
	t.Parallel()
	provider := legal.DefaultProvider()
	provider.ABN = "80 000 000 001"
	for name, tt := range map[string]struct {
		provider legal.Provider
		fees     string
		want     []string
		lacks    string
	}{
		"a provider with an ABN": {provider, "160, 0, 0, false",
			[]string{
				"Tax invoice for the fees", "From Forecourt ABN 80 000 000 001", "without GST $1.49", "GST $0.15", "Total, including GST $1.64",
			}, "statement"},
		"a provider without an ABN": {legal.DefaultProvider(), "160, 0, 0, false", []string{"Fee statement", "$1.64"}, "GST"},
	} {
		app := apptest.New(t, apptest.Options{Provider: tt.provider})
		app.SignIn(t)
		dbtest.Exec(t, app.Pool, "DELETE FROM fee; INSERT INTO fee (rate, fixed_minor, monthly_minor, gst_added) VALUES ("+tt.fees+")")
		dbtest.Exec(t, app.Pool, `UPDATE shop SET live = true, was_live = true, abn = '51 824 753 556' WHERE code = 'panezski'`)
		number := dbtest.Value[string](t, app.Pool, `
			INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
			VALUES ('p1', 'panezski', 'AUD', false, 10250, 164, 10086, now()) RETURNING number::text`)
		v := app.Visit(t, "/desk/panezski/payouts/"+number).Has("Your fees now: 1.6% of each payment").Follow(tt.want[0])
		v.Has(append(tt.want, "F-"+number, "To Panezski", "51 824 753 556")...).HasNot(tt.lacks)
		check.Equal(t, v.Path, "/desk/panezski/payouts/"+number+"/invoice", "%s: the page", name)
	}
}

func TestOnlyOwnersChangeTheAccountAndOthersReadItsEnd(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	manager := app.NewPerson(t).SignUp(t, "bob@example.com")
	app.SignIn(t)
	join(t, app, "manager")
	say(t, app, "40417293")
	manager.Visit(t, bank).Has("062-187 •••••293", "Only an owner can change the account").HasNot("Pay me into this account")
	say(t, manager, "11111111").Want(t, http.StatusForbidden, "a manager changes the account")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET country_code = 'NZ', currency = 'NZD' WHERE code = 'panezski'")
	app.Get(t, bank).Want(t, http.StatusNotFound, "the page of a business abroad")
	say(t, app, "22222222").Want(t, http.StatusNotFound, "an account of a business abroad")
	app.Visit(t, "/desk/panezski/payouts").HasNot("Your bank account")
}
