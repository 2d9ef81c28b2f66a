package staff_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/pay/payment"
)

func TestStaffCloseADisputeThatMatchesNoPayment(t *testing.T) {
	t.Parallel()
	var entry string
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ledger":
			fmt.Fprintf(w, `{"entries":[%s],"kinds":["capture","refund","dispute"]}`, entry)
		case "/api/refund":
			fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
		default:
			fmt.Fprint(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1"}`)
		}
	})})
	app.SignInStaff(t)
	app.Visit(t, "/staff/unmatched").Has("Nothing is unmatched")
	trx := app.Order(t)
	app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
	attempt := dbtest.Value[string](t, app.Pool, "SELECT approved_attempt::text FROM transaction WHERE id = $1", trx)
	entry = fmt.Sprintf(`{"kind":"dispute","state":"warned","reference":"%s","trxId":"%s","amount":"11.00","currency":"AUD","at":"%s"}`, attempt, trx, time.Now().UTC().Format(time.RFC3339))
	must.NoError(t, app.Settlement.ImportDisputes(t.Context()))
	refund := func() error {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 100, By: "test"})
		return err
	}
	check.Error(t, refund(), "the payment is refunded while nobody knows how its dispute stands")
	page := "/staff/unmatched/" + base64.RawURLEncoding.EncodeToString([]byte("dispute "+attempt))
	if list := app.Visit(t, "/staff/unmatched").Has("Open 1", "Dispute", "$11.00", `A dispute, "warned": it is neither opened nor won nor lost`); list.Find("a", "href="+page) == nil {
		t.Errorf("the list has no link to %s", page)
	}
	app.Visit(t, page).Has("Dispute of $11.00", trx, "A payment that it names cannot be refunded")
	app.Post(t, page, url.Values{"decision": {"closed"}}).Want(t, http.StatusUnprocessableEntity, "closed without a reason")
	for _, want := range []int{http.StatusSeeOther, http.StatusConflict} {
		app.Post(t, page, url.Values{"decision": {"closed"}, "reason": {"The bank withdrew it"}}).Want(t, want, "closed")
	}
	must.NoError(t, app.Settlement.ImportDisputes(t.Context()))
	app.Visit(t, "/staff/unmatched").Has("Nothing is unmatched", "Closed 1")
	app.Visit(t, page).Has("closed it", "The bank withdrew it").HasNot("cannot be refunded")
	check.NoError(t, refund(), "after it was closed")
}
