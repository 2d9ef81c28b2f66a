package pay_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/views/pay"
)

func TestEveryStateHasItsView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		page pay.Page
		want []string
	}{
		{"a new transaction shows the payment form (PAY-09)", sample(pay.Form), []string{"Pay by card", "Pay $1,000.52"}},
		{"a success shows the amount, the reference and whose order it is (PAY-10)", sample(pay.Success), []string{"Payment successful", "You paid $1,000.52 to Panezski.", "Ref trx-1", "Table 4"}},
		{"a declined payment shows the failure view (PAY-11 PAY-32 PAY-33)", sample(pay.Failure), []string{"Oops!", "Payment Unsuccessful", "Please select different payment method.", "Insufficient funds", "No money was taken.", "Try Again?"}},
		{"a paid or completed transaction shows the completed view (PAY-12)", sample(pay.Completed), []string{"Thank you", "Your order is ready. Enjoy!", "Flat white", "Total $1,000.52", "Order Again"}},
		{"a refunded payment says so", sample(pay.Refunded), []string{"Payment refunded", "goes back to the card", "Flat white", "Total $1,000.52", "Order Again"}},
		{"any other status is shown as plain text (PAY-13)", sample(pay.Text), []string{"refunded"}},
		{"a payment under way asks not to pay again", sample(pay.Waiting), []string{"Your payment is being processed", "Please do not pay again.", "This page updates by itself."}},
		{"an order nobody paid in time says that nothing was charged", sample(pay.Expired), []string{"This order was not paid in time", "Nothing was charged.", "Order Again"}},
		{"a paid order shows its progress (PAY-36)", sample(pay.Status), []string{"Your order is being prepared", "Table 4", "Bar", "Kitchen"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			section := byID(t, render(t, pay.PaymentPage(c.page)), "payment")
			check.Equal(t, attr(section, "data-state"), string(c.page.State), "data-state")
			for _, want := range c.want {
				check.Contains(t, text(section), want, "text")
			}
			check.Equal(t, len(all(section, "h1")), 1, "main headings")
		})
	}
}

func TestTheSummaryStaysInEveryState(t *testing.T) {
	t.Parallel()
	for _, state := range []pay.State{pay.Form, pay.Waiting, pay.Success, pay.Failure, pay.Status, pay.Completed, pay.Expired, pay.Text} {
		t.Run("amount, currency and reference are shown: "+string(state)+" (PAY-03 PAY-04 PAY-08)", func(t *testing.T) {
			t.Parallel()
			section := byID(t, render(t, pay.PaymentPage(sample(state))), "payment")
			for _, want := range []string{"$1,000.52 AUD", "Ref trx-1"} {
				check.Contains(t, text(section), want, "text")
			}
		})
	}
}

func TestAForeignAmountNamesItsCurrencyOnce(t *testing.T) {
	t.Parallel()
	p := sample(pay.Form)
	p.AmountMinor, p.Currency, p.Lines = 1250, "GBP", nil
	got := text(byID(t, render(t, pay.PaymentPage(p)), "payment"))
	if !strings.Contains(got, "12.50 GBP") || strings.Contains(got, "GBP GBP") {
		t.Errorf("PAY-04 the amount reads %q", got)
	}
}

func TestThePageIsTheMerchants(t *testing.T) {
	t.Parallel()
	page := render(t, pay.PaymentPage(sample(pay.Form)))
	all := text(page)
	for id, want := range map[string]string{
		"the merchant (PAY-05)": "Panezski", "the copyright line (PAY-06)": "© 2025", "the privacy policy (PAY-06)": "Privacy policy",
		"the terms (PAY-06)": "Terms", "the maker (PAY-07 CHROME-09)": "Powered by",
	} {
		t.Run(id, func(t *testing.T) {
			check.Contains(t, all, want, "… is not on the page")
		})
	}
}

func TestOrderAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, address string }{
		{"Order Again leads to the table (PAY-41)", "/pos/panezski?t=4"},
		{"Order Again leads to the name (PAY-42)", "/pos/panezski?n=Sam"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := sample(pay.Completed)
			p.MenuURL = c.address
			link := named(t, byID(t, render(t, pay.PaymentPage(p)), "payment"), "a", "Order Again")
			check.Equal(t, attr(link, "href"), c.address, "leads to")
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	got := text(render(t, pay.MissingPage(pay.Missing{Frame: sample(pay.Form).Frame, TrxID: "zzz"})))
	for id, want := range map[string]string{
		"the heading (PAY-14)":     "No such transaction",
		"the reference (PAY-14)":   "zzz",
		"the explanation (PAY-15)": "We were unable to retrieve a payment request related to this transaction reference.",
	} {
		t.Run(id, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in %q", want, got)
			}
		})
	}
}
