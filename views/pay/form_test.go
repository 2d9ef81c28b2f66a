package pay_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/views/pay"
	"forecourt/views/ui"
)

func TestTheCardFormHasItsLabels(t *testing.T) {
	t.Parallel()
	page := render(t, pay.PaymentPage(sample(pay.Form)))
	form := one(t, page, "form")
	if attr(form, "method") != "post" || attr(form, "action") != "/pos/panezski/trx-1" {
		t.Errorf("the form posts %s to %q", attr(form, "method"), attr(form, "action"))
	}
	for _, c := range []struct{ label, name, autocomplete string }{
		{"Name on Card", "name", "cc-name"},
		{"Card Number", "card", "cc-number"},
		{"Expiry", "exp", "cc-exp"},
		{"CVC", "cvc", "cc-csc"},
		{"Customer Email", "email", "email"},
	} {
		t.Run(c.label+" (PAY-16 PAY-17)", func(t *testing.T) {
			t.Parallel()
			input := byID(t, form, attr(named(t, form, "label", c.label), "for"))
			if attr(input, "name") != c.name || attr(input, "autocomplete") != c.autocomplete {
				t.Errorf("name %q, autocomplete %q; want %q, %q", attr(input, "name"), attr(input, "autocomplete"), c.name, c.autocomplete)
			}
			check.Equal(t, attr(input, "maxlength"), "", "PAY-21 a maxlength hinders autofill")
		})
	}
	check.Equal(t, len(all(form, "button")), 1, "PAY-57 … buttons")
	named(t, form, "button", "Pay $1,000.52")
	check.Equal(t, attr(byName(t, form, "key"), "value"), "key-1", "the form's key")
	if got := text(form); !strings.Contains(got, "Test mode: Panezski charges no card.") || strings.Contains(got, "LAT*") {
		t.Errorf("the form of a test payment says %s", got)
	}
	live := sample(pay.Form)
	live.TestMode = false
	check.Contains(t, text(one(t, render(t, pay.PaymentPage(live)), "form")), "Panezski charges your card once. Your statement will say LAT*panezski.",
		"the form does not say how the charge reads on the statement")
}

func TestProblemsAreLinkedToTheirFields(t *testing.T) {
	t.Parallel()
	p := withProblems(sample(pay.Form))
	page := render(t, pay.PaymentPage(p))
	for _, f := range p.Problems {
		t.Run(f.Label+" (PAY-24 PAY-57)", func(t *testing.T) {
			t.Parallel()
			link := named(t, byID(t, page, "problems"), "a", f.Problem)
			check.Equal(t, attr(link, "href"), "#"+f.ID, "the summary leads to, want #%s", f.ID)
			input := byID(t, page, f.ID)
			check.Equal(t, attr(input, "aria-invalid"), "true", "the field is not marked as invalid")
			check.Contains(t, text(byID(t, page, attr(input, "aria-describedby"))), f.Problem, "the field is described by")
		})
	}
}

func TestTheFormRepeatsNothingOfACard(t *testing.T) {
	t.Parallel()
	live := sample(pay.Form)
	live.TestMode = false
	again := sample(pay.Form)
	again.Notice = "The payment could not be started. Nothing was charged."
	for _, c := range []struct {
		name         string
		page         pay.Page
		number, code string
	}{
		{"test mode suggests a card (PAY-25)", sample(pay.Form), "4111 1111 1111 1111", "123"},
		{"a live form is empty (PAY-25)", live, "", ""},
		{"a live form with problems forgets number and CVC", withProblems(live), "", ""},
		{"a test form with problems forgets number and CVC", withProblems(sample(pay.Form)), "", ""},
		{"a form after a failed try forgets number and CVC", again, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := render(t, pay.PaymentPage(c.page))
			check.Equal(t, attr(byName(t, page, "card"), "value"), c.number, "card number")
			cvc := byName(t, page, "cvc")
			check.Equal(t, attr(cvc, "value"), c.code, "CVC")
			if attr(cvc, "class") != "masked" || attr(cvc, "type") != "text" {
				t.Error("PAY-23 the CVC is not masked")
			}
		})
	}
}

func TestAFormSaysWhyTheLastTryFailed(t *testing.T) {
	t.Parallel()
	p := sample(pay.Form)
	p.Notice = "The payment could not be started. Nothing was charged."
	check.Contains(t, text(byID(t, render(t, pay.PaymentPage(p)), "payment")), p.Notice, "the notice is not in")
}

func TestOnlyATestFormNamesTestCards(t *testing.T) {
	t.Parallel()
	live := sample(pay.Form)
	live.TestMode = false
	check.Lacks(t, text(render(t, pay.PaymentPage(live))), "4000 0000 0000 0002", "a live form names test cards")
	check.Contains(t, text(render(t, pay.PaymentPage(sample(pay.Form)))), "4000 0000 0000 0002", "a test form does not name test cards")
}

func TestABlankFormHoldsNothingOfAnother(t *testing.T) {
	t.Parallel()
	blank := func(test bool) string {
		p := sample(pay.Form)
		p.TestMode, p.Card = test, pay.BlankCard(test)
		return source(t, pay.PaymentPage(p))
	}
	first := blank(true)
	typed := sample(pay.Form)
	typed.Card = pay.BlankCard(true)
	typed.Card.Blank, typed.Card.Name.Value, typed.Card.Email.Problem = false, "Ann Payer", "Invalid email"
	if got := source(t, pay.PaymentPage(typed)); !strings.Contains(got, "Ann Payer") || !strings.Contains(got, "Invalid email") {
		t.Error("a form that was filled in lacks what was typed, or its problem")
	}
	if again := blank(true); again != first || !strings.Contains(again, `value="4111 1111 1111 1111"`) {
		t.Errorf("PAY-25 a blank form in test mode became %s", again)
	}
	if live := blank(false); strings.Contains(live, "Ann Payer") || strings.Contains(live, `value="4111`) || !strings.Contains(live, `name="cvc"`) {
		t.Errorf("a blank live form is %s", live)
	}
}

func withProblems(p pay.Page) pay.Page {
	p.Card.Number.Problem = "Check the card number"
	p.Card.CVC.Problem = "Enter the CVC"
	p.Card.Email.Problem = "Invalid email"
	p.Problems = []ui.Field{p.Card.Number, p.Card.CVC, p.Card.Email}
	return p
}
