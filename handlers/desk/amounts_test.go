package desk_test

import (
	"net/http"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// A comma may be somebody's decimal point: "12,50" is not 1,250.00.
func TestAnAmountThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	payment := "/desk/panezski/payments/" + sale(t, app, "4111111111111111", "")
	for _, amount := range []string{
		"12,50", "200,00", "1,2,3", ",50", "0,500", "1234,567.00", "1.234,56", "1,234 .00", "-1,234.00", "£12.50",
	} {
		for page, press := range map[string]struct{ field, button, says string }{
			"/desk/panezski/links/new":       {"amount", "Make the link", "The amount has to be written like 12.50"},
			"/desk/panezski/payments/limits": {"manager", "Save", "Enter an amount like 12.50"},
			"/desk/panezski/payments":        {"amount", "Find", "Enter an amount like 12.50"},
			payment + "/refund":              {"amount", "Check the refund", "Enter an amount like 12.50"},
		} {
			v := app.Visit(t, page)
			if page == payment+"/refund" {
				v.Tick("how", "amount").Type("reason", "cold")
			}
			v.Type(press.field, amount).Press(press.button).Has(press.says)
			if v.Status != http.StatusUnprocessableEntity || v.Value(press.field) != amount {
				t.Errorf("%q at %s: %d, and the field has %q", amount, page, v.Status, v.Value(press.field))
			}
		}
	}
	var links, limits int
	err := app.Pool.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM transaction WHERE kind = 'link' AND amount_minor > 1100), "+
		"(SELECT count(*) FROM audit WHERE action = 'refund limit changed')").Scan(&links, &limits)
	if err != nil || links != 0 || limits != 0 {
		t.Errorf("%d links and %d limits were stored, %v", links, limits, err)
	}
	app.Visit(t, "/desk/panezski/payments/limits").Type("manager", "$1,250.5").Press("Save").Has("Saved.")
	check.Equal(t, app.Visit(t, "/desk/panezski/payments/limits").Value("manager"), "1,250.50", "a limit of $1,250.5")
}
