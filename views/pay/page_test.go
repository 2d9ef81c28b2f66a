package pay_test

import (
	"strings"
	"testing"

	"forecourt/views/pay"
)

func TestEveryStateHasItsView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		page pay.Page
		want []string
	}{
		{"PAY-09 a new transaction shows the payment form", sample(pay.Form), []string{"Pay by card", "Pay $1,000.52"}},
		{"PAY-10 a success shows the amount, the reference and whose order it is", sample(pay.Success), []string{"Payment successful", "You paid $1,000.52 to Panezski.", "Ref trx-1", "Table 4"}},
		{"PAY-11 PAY-32 PAY-33 a declined payment shows the failure view", sample(pay.Failure), []string{"Oops!", "Payment Unsuccessful", "Please select different payment method.", "Insufficient funds", "No money was taken.", "Try Again?"}},
		{"PAY-12 a paid or completed transaction shows the completed view", sample(pay.Completed), []string{"Thank you", "Your order is ready. Enjoy!", "Flat white", "Total $1,000.52", "20 November 2026, 6:53 pm", "Order Again"}},
		{"a refunded payment says so", sample(pay.Refunded), []string{"Payment refunded", "goes back to the card", "Flat white", "Total $1,000.52", "Order Again"}},
		{"PAY-13 any other status is shown as plain text", sample(pay.Text), []string{"refunded"}},
		{"a payment under way asks not to pay again", sample(pay.Waiting), []string{"Your payment is being processed", "Please do not pay again.", "This page updates by itself."}},
		{"an order nobody paid in time says that nothing was charged", sample(pay.Expired), []string{"This order was not paid in time", "Nothing was charged.", "Order Again"}},
		{"PAY-36 a paid order shows its progress", sample(pay.Status), []string{"Your order is being prepared", "Table 4", "Bar", "Kitchen"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			section := byID(t, render(t, pay.PaymentPage(c.page)), "payment")
			if got := attr(section, "data-state"); got != string(c.page.State) {
				t.Errorf("data-state is %q, want %q", got, c.page.State)
			}
			for _, want := range c.want {
				if !strings.Contains(text(section), want) {
					t.Errorf("%q is not in %q", want, text(section))
				}
			}
			if n := len(all(section, "h1")); n != 1 {
				t.Errorf("%d main headings, want 1", n)
			}
		})
	}
}

func TestTheSummaryStaysInEveryState(t *testing.T) {
	t.Parallel()
	for _, state := range []pay.State{pay.Form, pay.Waiting, pay.Success, pay.Failure, pay.Status, pay.Completed, pay.Expired, pay.Text} {
		t.Run("PAY-03 PAY-04 PAY-08 amount, currency and reference are shown: "+string(state), func(t *testing.T) {
			t.Parallel()
			section := byID(t, render(t, pay.PaymentPage(sample(state))), "payment")
			for _, want := range []string{"$1,000.52 AUD", "Ref trx-1"} {
				if !strings.Contains(text(section), want) {
					t.Errorf("%q is not in %q", want, text(section))
				}
			}
		})
	}
}

func TestAForeignAmountNamesItsCurrencyOnce(t *testing.T) {
	t.Parallel()
	p := sample(pay.Form)
	p.AmountLabel, p.Currency, p.Lines = "12.50 GBP", "GBP", nil
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
		"PAY-05 the merchant": "Panezski", "PAY-06 the copyright line": "© 2025", "PAY-06 the privacy policy": "Privacy policy",
		"PAY-06 the terms": "Terms", "PAY-07 CHROME-09 the maker": "Powered by",
	} {
		t.Run(id, func(t *testing.T) {
			if !strings.Contains(all, want) {
				t.Errorf("%q is not on the page", want)
			}
		})
	}
}

func TestOrderAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, address string }{
		{"PAY-41 Order Again leads to the table", "/pos/panezski?t=4"},
		{"PAY-42 Order Again leads to the name", "/pos/panezski?n=Sam"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := sample(pay.Completed)
			p.MenuURL = c.address
			link := named(t, byID(t, render(t, pay.PaymentPage(p)), "payment"), "a", "Order Again")
			if got := attr(link, "href"); got != c.address {
				t.Errorf("leads to %q, want %q", got, c.address)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	got := text(render(t, pay.MissingPage(pay.Missing{Frame: sample(pay.Form).Frame, TrxID: "zzz"})))
	for id, want := range map[string]string{
		"PAY-14 the heading":     "No such transaction",
		"PAY-14 the reference":   "zzz",
		"PAY-15 the explanation": "We were unable to retrieve a payment request related to this transaction reference.",
	} {
		t.Run(id, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in %q", want, got)
			}
		})
	}
}
