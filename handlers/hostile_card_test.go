package handlers_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// TestNoTextTakesACardNumber types a card number, in the ways people write it, into every text field that the program stores, and looks at
// the page that comes back.
func TestNoTextTakesACardNumber(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	const number, refused = "4111 + 1111 + 1111 + 1111", "looks like a card number"
	for _, tt := range []struct{ page, field, typed, button, says string }{
		{"/desk/panezski/menu/category/new", "name", number, "Add category", refused},
		{"/desk/panezski/menu/group/new", "name", number, "Add option group", refused},
		{"/desk/panezski/menu/group/new", "choices.0.name", number, "Add option group", refused},
		{"/desk/panezski/tables", "tables", "Bar: 1-3, 4111:1111:1111:1111", "Save tables", refused},
		{"/desk/panezski/tables", "tables", "Bar: 1-3, 4111|1111|1111|1111", "Save tables", refused},
		{"/desk/panezski/tables", "tables", "4111=1111=1111=1111: 1-3", "Save tables", refused},
		{"/desk/panezski/shop", "name", number, "Save", refused},
		{"/desk/panezski/shop", "tagline", number, "Save", refused},
		{"/desk/panezski/shop", "locations", "Bar\n" + number, "Save", refused},
		{"/desk/panezski/links/new", "description", number, "Make the link", refused},
		{"/desk/panezski/links/new", "reference", "411111111111111 1", "Make the link", refused},
		{"/desk/panezski/links/many", "rows", "amount,reference\n4,INV-7\n5,4111(1111)1111(1111)", "Make the links", refused},
		{"/desk/panezski/screens", "name", number, "Make a link", refused},
		{"/account", "name", number, "Save name", refused},
	} {
		v := app.Visit(t, tt.page)
		if tt.page == "/desk/panezski/links/new" {
			v.Type("amount", "5")
		}
		v.Type(tt.field, tt.typed).Press(tt.button).Has(tt.says)
		if v.Status != http.StatusUnprocessableEntity || strings.Contains(v.Body, "1111") {
			t.Errorf("%s, %s %q: %d, or the page repeats the number", tt.page, tt.field, tt.typed, v.Status)
		}
	}
	v := app.Visit(t, "/desk/panezski/menu").Follow("Butter Croissant").Type("description", number).Press("Save").Has(refused)
	check.Lacks(t, v.Body, "1111", "the page repeats the description")
}

// Calls refuse card numbers in TestEveryRefusalNamesFieldAndRule.
func TestLongNumbersThatAreNoCards(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	const body = `{"merchantId":"panezski","trxRef":"5f0c7c4e-1f3a-4b2e-9d55-0a1b2c3d4e5f","source":"till 1764000000000","order":[{"name":"Butter Croissant","qty":1}]}`
	app.PostJSON(t, "/api/pos", json.RawMessage(body)).Want(t, http.StatusCreated, "a UUID and a time")
	app.Get(t, "/pos/4111111111111111").Want(t, http.StatusNotFound, "a menu")
}
