package pay_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/paylink"
)

// approving is a gateway that approves each payment and sends the payer to an address.
func approving(to *string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-%s","redirect":%q}`, r.Header.Get("X-Request-Id")+*to, *to)
	})
}

// pays returns the words of the button that pays, after the wallets'.
func pays(v *apptest.Visitor) string { return v.Texts("button")[2] }

func TestThePayerGoesWhereTheGatewaySendsThemAfterAnApproval(t *testing.T) {
	t.Parallel()
	to := ""
	app := apptest.New(t, apptest.Options{Gateway: approving(&to)})
	to = app.URL + "/thanks?order=1"
	paid := map[string]string{"a pay link": link(t, app, func(*paylink.Wanted) {}), "an order": app.Order(t)}
	for name, id := range paid {
		to += "&x"
		t.Run(name+" (PAY-43)", func(t *testing.T) {
			v := app.Visit(t, "/pos/panezski/"+id)
			v.Press(pays(v))
			v.Shows("a", "href="+to)
			check.Contains(t, v.Body, " data-redirect", "the link is not followed")
			check.Contains(t, v.Body, `content="1;url=`+html.EscapeString(to), "without scripts it is not followed")
			v.Has("Redirecting you now")
			other := app.NewPerson(t).Visit(t, "/pos/panezski/"+id)
			other.Hides("a", "href="+to)
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - interval '1 minute' WHERE id = $1", id)
			again := app.Visit(t, "/pos/panezski/"+id)
			again.Shows("a", "href="+to)
			check.Lacks(t, again.HasNot("Redirecting").Body, " data-redirect", "a minute later the link is followed")
		})
	}
}

func TestARedirectAfterAnApprovalLeadsOnlyToListedHosts(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"https://elsewhere.example/thanks", "javascript:alert(1)", ""} {
		app := apptest.New(t, apptest.Options{Gateway: approving(&to)})
		id := app.Order(t)
		v := app.Visit(t, "/pos/panezski/"+id)
		v.Press(pays(v))
		check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT status FROM transaction WHERE id = $1", id), "success", "PAY-43 %q: the status", to)
		check.Lacks(t, v.HasNot("Redirecting").Body, " data-redirect", "%q: the page", to)
		if to != "" {
			check.Lacks(t, v.Body, strings.TrimSuffix(to, "/thanks"), "%q: the page", to)
		}
	}
}

func TestTheAnswerOfACallHasTheRedirectAfterAnApproval(t *testing.T) {
	t.Parallel()
	to := ""
	app := apptest.New(t, apptest.Options{Gateway: approving(&to)})
	to = app.URL + "/thanks"
	body := map[string]string{
		"merchantId": "panezski", "trxId": app.Order(t), "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	}
	got := apptest.JSON[struct{ Redirect string }](t, app.PostJSON(t, "/api/pay", body, "Idempotency-Key", "k1"))
	check.Equal(t, got.Redirect, to, "PAY-43 the answer's redirect")
}
