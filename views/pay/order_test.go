package pay_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/views/pay"
)

func TestTheOrderIsShownByPlace(t *testing.T) {
	t.Parallel()
	places := all(byID(t, render(t, pay.PaymentPage(sample(pay.Status))), "pay-status"), "section")
	must.Equal(t, len(places), 2, "PAY-36 … places")
	for i, c := range []struct{ name, place, state, line, done string }{
		{"a place that is done is ready (PAY-36)", "Bar", "Ready", "Flat white", "done"},
		{"a place that is not done is being prepared (PAY-36)", "Kitchen", "Being prepared", "Avocado on toast", "being prepared"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, text(one(t, places[i], "h2")), c.place+" "+c.state, "heading")
			line := one(t, places[i], "li")
			if got := text(line); !strings.HasPrefix(got, c.line) || !strings.HasSuffix(got, c.done) {
				t.Errorf("line is %q, want %q to be %q", got, c.line, c.done)
			}
			check.Equal(t, attr(line, "class") == "done", c.done == "done", "ticked")
		})
	}
}

func TestThePageAsksForItsNextState(t *testing.T) {
	t.Parallel()
	demo := sample(pay.Success)
	demo.NextURL = ""
	for _, c := range []struct {
		name           string
		page           pay.Page
		address, every string
	}{
		{"a form asks nothing (PAY-45)", sample(pay.Form), "", ""},
		{"a payment under way asks every second", sample(pay.Waiting), "/pos/panezski/trx-1", "every 1s"},
		{"a success moves on after 3 s (PAY-35)", sample(pay.Success), "/pos/panezski/trx-1?next", "every 3s"},
		{"a success with nothing to follow stays", demo, "", ""},
		{"an order being prepared keeps asking (PAY-44)", sample(pay.Status), "/pos/panezski/trx-1", "every 4s"},
		{"a failure stays", sample(pay.Failure), "", ""},
		{"a completed order stays", sample(pay.Completed), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			section := byID(t, render(t, pay.PaymentPage(c.page)), "payment")
			if attr(section, "hx-get") != c.address || attr(section, "hx-trigger") != c.every {
				t.Errorf("asks %q %q, want %q %q", attr(section, "hx-get"), attr(section, "hx-trigger"), c.address, c.every)
			}
		})
	}
}

func TestThePageNamesItsStream(t *testing.T) {
	t.Parallel()
	p := sample(pay.Waiting)
	if _, named := lookup(byID(t, render(t, pay.PaymentPage(p)), "payment"), "data-events"); named {
		t.Error("PAY-45 a page with nothing to follow names a stream")
	}
	p.EventsURL = "/pos/panezski/trx-1/events"
	check.Equal(t, attr(byID(t, render(t, pay.PaymentPage(p)), "payment"), "data-events"), p.EventsURL, "PAY-44 the stream")
}

func TestTheBankIsReachedByALink(t *testing.T) {
	t.Parallel()
	p := sample(pay.Waiting)
	p.RedirectURL, p.CancelURL = "https://bank.example/check", "/pos/panezski/trx-1/cancel"
	section := byID(t, render(t, pay.PaymentPage(p)), "payment")
	check.Equal(t, attr(named(t, section, "a", "Continue to your bank"), "href"), p.RedirectURL, "the link leads to")
	named(t, section, "button", "Cancel and pay another way")
	check.Equal(t, attr(one(t, section, "form"), "action"), p.CancelURL, "cancelling posts to")
}

func TestWhereASuccessAndAFailureLead(t *testing.T) {
	t.Parallel()
	p := sample(pay.Success)
	p.RedirectURL = "https://shop.example/thanks"
	link := named(t, byID(t, render(t, pay.PaymentPage(p)), "payment"), "a", "Continue")
	if _, marked := lookup(link, "data-redirect"); !marked || attr(link, "href") != p.RedirectURL {
		t.Error("PAY-43 a redirect after success has no link that scripts may follow")
	}
	form := one(t, byID(t, render(t, pay.PaymentPage(sample(pay.Failure))), "payment"), "form")
	if attr(form, "method") != "post" || attr(form, "action") != "/pos/panezski/trx-1/retry" {
		t.Errorf("PAY-33 Try Again? posts to %q", attr(form, "action"))
	}
}

func TestTheFragmentIsThePaymentAlone(t *testing.T) {
	t.Parallel()
	var part bytes.Buffer
	must.NoError(t, templ.RenderFragments(t.Context(), &part, pay.PaymentPage(sample(pay.Status)), pay.Payment))
	if !strings.HasPrefix(part.String(), `<section id="payment"`) || !strings.HasSuffix(part.String(), "</section>") {
		t.Errorf("the fragment is %q", part.String())
	}
}
