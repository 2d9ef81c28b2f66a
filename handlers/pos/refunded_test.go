package pos_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/payment"
)

// giveBack refunds a quantity of a line of an order, or for no line all that is left.
func giveBack(t *testing.T, app *apptest.App, trx string, lines ...payment.RefundLine) {
	t.Helper()
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "the test", Lines: lines, Again: true})
	check.Must(t, err)
}

func TestARefundedLineIsNotMade(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	next := watch(t, app, screen+"/events", "")
	next() // the board as it is
	trx := paid(t, app, "7")
	next()
	guest := "/pos/panezski/" + trx
	app.Visit(t, screen).Has("2 Butter Croissant", "1 Flat White")

	giveBack(t, app, trx, payment.RefundLine{No: 1, Qty: 1})
	app.Visit(t, screen).Has("1 Butter Croissant", "1 Flat White").HasNot("2 Butter Croissant")
	if t.Failed() {
		return // no event would come
	}
	_, got := next()
	check.Contains(t, got, "<b>1</b> <span><bdi>Butter Croissant</bdi>", "an open screen gets")
	app.Visit(t, guest).Has("1 of 2 refunded")
	check.Contains(t, app.Get(t, "/api"+guest).Body, `"qty":2,"refunded":1,"status":"open"`, "the API says")

	giveBack(t, app, trx, payment.RefundLine{No: 1, Qty: 1})
	app.Visit(t, screen).Has("1 Flat White").HasNot("1 Butter Croissant", "2 Butter Croissant")
	app.Visit(t, guest).Has("2 of 2 refunded", "Being made")
	check.Equal(t, status(t, app, trx), "success", "with a line left the order")
	app.Visit(t, screen).Press("Done Bar")
	check.Equal(t, status(t, app, trx), "completed", "when the line that is left is done, the order")
	app.Visit(t, screen).Press("Undo").Has("1 Flat White").HasNot("1 Butter Croissant", "2 Butter Croissant")
}

func TestTheRefundOfTheLastOpenLineCompletesAnOrder(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	app.Visit(t, screen).Press("Done Bar")
	giveBack(t, app, trx, payment.RefundLine{No: 1, Qty: 2})
	check.Equal(t, status(t, app, trx), "completed", "the order")
	app.Visit(t, "/pos/panezski/"+trx).Has("2 of 2 refunded")

	only := app.Order(t)
	app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": only, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	}).Must(t, http.StatusOK, "pay")
	giveBack(t, app, only, payment.RefundLine{No: 1, Qty: 2})
	check.Contains(t, app.Get(t, "/api/pos/panezski/"+only).Body, `"status":"cancelled"`, "an order of one line, refunded")
	app.Visit(t, screen).HasNot("1 Butter Croissant", "2 Butter Croissant")
}

func TestUndoDoesNotBringBackWhatWasRefunded(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	locs := locations(t, app, trx)
	for _, loc := range locs {
		app.Post(t, screen, url.Values{"done": {trx + " " + loc}})
	}
	giveBack(t, app, trx, payment.RefundLine{No: 1, Qty: 1})
	undo := func() {
		for _, loc := range locs {
			app.Post(t, screen, url.Values{"undo": {trx + " " + loc}})
		}
	}
	undo()
	app.Visit(t, screen).Has("1 Butter Croissant", "1 Flat White").HasNot("2 Butter Croissant")
	for _, loc := range locs {
		app.Post(t, screen, url.Values{"done": {trx + " " + loc}})
	}
	giveBack(t, app, trx)
	undo()
	app.Visit(t, screen).HasNot("1 Butter Croissant", "2 Butter Croissant", "1 Flat White", "Undo")
	check.Equal(t, status(t, app, trx), "completed", "the order")
}

func TestAnUndecidedRefundIsStillMade(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := app.Order(t)
	app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4000000000007726", "exp": "12/34", "cvc": "123",
	}).Must(t, http.StatusOK, "pay")
	giveBack(t, app, trx, payment.RefundLine{No: 1, Qty: 1})
	app.Visit(t, screen).Has("2 Butter Croissant")
	app.Visit(t, "/desk/panezski/payments/"+trx).Has("1 being refunded").HasNot("1 refunded")
	apptest.Eventually(t, "the kitchen makes one less", func() bool {
		return strings.Contains(app.Get(t, screen).Body, "<b>1</b> <span><bdi>Butter Croissant</bdi>")
	})
	app.Visit(t, "/desk/panezski/payments/"+trx).Has("1 refunded").HasNot("being refunded")
}
