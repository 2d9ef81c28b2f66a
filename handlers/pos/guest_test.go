package pos_test

import (
	"net/http"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestAPaidBasketAddressIsANewOrderForTheNextGuest(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app = app.NewPerson(t)
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	address := order.Path
	payment := order.Press("Test Payment")
	first := payment.Path

	other := app.NewPerson(t)
	check.Equal(t, other.Visit(t, address).Press("Test Payment").Path, first,
		"before the payment the address leads another guest at the table to")
	payment.Press("Pay $9.00")
	check.Equal(t, app.Visit(t, address).Press("Test Payment").Path, first, "the address leads the guest who paid to")
	told := other.Visit(t, address).Press("Test Payment")
	told.Has("Somebody has already paid this order", "Cherry Pie", "Total $9.00", "Table 4")
	told.Want(t, http.StatusConflict, "the next guest gets")
	check.Lacks(t, told.Body, first, "the next guest gets")
	second := told.Press("Test Payment")
	second.Has("Pay $9.00")
	if second.Path == first || second.Status != http.StatusOK {
		t.Errorf("the next guest's order is %s, %d", second.Path, second.Status)
	}
}
