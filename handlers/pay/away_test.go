package pay_test

import (
	"testing"

	"forecourt/app/apptest"
)

func TestTheFormSaysThatTheGatewayIsAway(t *testing.T) {
	t.Parallel()
	const notice = "Card payments are not reaching the bank at the moment."
	app := apptest.New(t, apptest.Options{})
	first, second := app.Order(t), app.Order(t)
	form := app.Visit(t, "/pos/panezski/"+first).HasNot(notice)
	app.StopGateway()
	form.Press("Pay $11.00").HasNot(notice) // nothing was charged, so the page of a failed payment appears

	other := app.Visit(t, "/pos/panezski/"+second).Has(notice, "is not charged")
	if other.Value("card") == "" {
		t.Error("PAY-25 the test card is gone")
	}
	other.Type("card", "4111 1111 1111 1112").Press("Pay $11.00").Has(notice, "That is not a valid card number")
	app.Visit(t, "/pos/panezski/demo").HasNot(notice)
}
