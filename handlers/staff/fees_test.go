package staff_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestEveryPageNamesTheFeesThatStaffSet(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	staff := app.NewPerson(t).SignInStaff(t)
	const standard, own = "1.6% + 10¢ a payment, no monthly fee, GST included", "1.2% of each payment, $20.00 a month, plus GST"
	form := url.Values{"do": {"save"}, "rate": {"1.6%"}, "fixed": {"$0.10"}, "monthly": {"0"}, "gst": {"included"}}
	staff.Post(t, "/staff/fees", form).Leads(t, "/staff/fees?done=save", "the standard")
	staff.Visit(t, "/staff/fees").Has(standard, "set the fees")
	staff.Visit(t, "/staff/accounts/panezski").Has(standard).Follow("Change the fees").Has(standard).HasNot("Take the fees of every business")

	apptest.Eventually(t, "visitors see it", func() bool { return strings.Contains(app.Get(t, "/").Body, standard) })
	app.Visit(t, "/").Has(standard, "An order of $20.00", "$0.42 for us, $19.58 for you")
	app.Visit(t, "/form/application").Has("What it costs: " + standard)
	app.Visit(t, "/terms").Has("What a merchant pays: " + standard)
	app.Visit(t, "/desk/panezski/payouts").Has("Your fees: " + standard)

	form = url.Values{"do": {"save"}, "rate": {"1.2"}, "fixed": {"0"}, "monthly": {"20"}, "gst": {"added"}}
	staff.Post(t, "/staff/fees/panezski", form).Leads(t, "/staff/fees/panezski?done=save", "the exception")
	staff.Visit(t, "/staff/accounts/panezski").Has(own + ", agreed with this business")
	app.Visit(t, "/desk/panezski/payouts").Has("Your fees: " + own)
	app.Visit(t, "/desk/moollar/payouts").Has("Your fees: " + standard)
	check.Equal(t, dbtest.Value[string](t, app.Pool,
		"SELECT string_agg(subject || ': ' || action || ' ' || reason, '; ' ORDER BY id) FROM audit WHERE subject LIKE 'fees%'"),
		"fees: set the fees "+standard+"; fees panezski: set the fees "+own, "the audit log")

	staff.Post(t, "/staff/fees/panezski", url.Values{"do": {"remove"}}).Leads(t, "/staff/fees/panezski?done=remove", "the exception goes")
	app.Visit(t, "/desk/panezski/payouts").Has("Your fees: " + standard)
	staff.Post(t, "/staff/fees", url.Values{"do": {"remove"}}).Leads(t, "/staff/fees?done=remove", "the standard goes")
	app.Visit(t, "/desk/panezski/payouts").Has("Ask us for our fees").HasNot("Your fees")

	bad := staff.Post(t, "/staff/fees", url.Values{"do": {"save"}, "rate": {"101"}, "fixed": {"x"}, "monthly": {"0"}})
	bad.Want(t, http.StatusUnprocessableEntity, "101 percent and x")
	check.Contains(t, bad.Body, "Enter a percentage from 0 to 100", "the page")
	check.Contains(t, bad.Body, "Enter an amount", "the page")
}
