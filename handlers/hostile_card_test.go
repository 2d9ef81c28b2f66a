package handlers_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// number is the number of a card, as somebody writes it who means to hide it a little.
const number = "45391488/03436467"

// TestNoColumnHoldsACardNumber types a card number into each text field of each form that a merchant, staff and a guest can reach by links,
// one field at a time, and then looks through all columns of the database.
func TestNoColumnHoldsACardNumber(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	staff, owner := app.NewPerson(t).SignInStaff(t), app.NewPerson(t).SignIn(t)
	item := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM item WHERE name = 'Iced Latte' AND shop_code = 'panezski'")
	fields := fill(t, app, "/pos/panezski/item/"+item, "/pos/panezski/order?b="+item+"x1&k=one", "/pos/panezski/"+id, "/reset", "/demo/qr", "/signup") +
		fill(t, staff, "/staff", "/staff/forms", "/staff/compliance", "/staff/site") +
		fill(t, owner, "/desk/panezski", "/desk/panezski/links/new", "/account", "/merchant/admin", "/compliance/demo-compliance",
			"/form/application/0", "/form/application/1", "/form/application/3")
	if fields < 90 {
		t.Errorf("only %d fields were filled", fields)
	}
	rows, err := app.Pool.Query(t.Context(), `SELECT table_name::text, column_name::text FROM information_schema.columns
		JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`)
	check.Must(t, err)
	var columns [][2]string
	for rows.Next() {
		var c [2]string
		check.Must(t, rows.Scan(&c[0], &c[1]))
		columns = append(columns, c)
	}
	if len(columns) < 100 {
		t.Errorf("only %d columns were looked through", len(columns))
	}
	all := app.Owner(t)
	for _, c := range columns {
		found := dbtest.Value[int](t, all, fmt.Sprintf(
			`SELECT count(*) FROM %q WHERE regexp_replace(%q::text, '[^0-9]', '', 'g') LIKE '%%4539148803436467%%'`, c[0], c[1]))
		check.Equal(t, found, 0, "rows with a card number in %s.%s", c[0], c[1])
	}
}

// fill follows the links of pages and types the number into each text field of each form. It returns how many there were.
func fill(t *testing.T, app *apptest.App, pages ...string) (fields int) {
	t.Helper()
	seen := map[string]bool{}
	for n := 0; n < len(pages) && n < 150; n++ {
		page := pages[n]
		place, _, _ := strings.Cut(page, "?")
		if seen[place] {
			continue
		}
		seen[place] = true
		answer := app.Get(t, page)
		doc, err := html.Parse(strings.NewReader(answer.Body))
		check.Must(t, err)
		for node := range doc.Descendants() {
			switch {
			case node.Data == "a" && strings.HasPrefix(attribute(node, "href"), "/") && attribute(node, "href") != "/demo/keygen": // which keeps nothing
				pages = append(pages, attribute(node, "href"))
			case node.Data == "form" && attribute(node, "method") == "post":
				action, _, _ := strings.Cut(attribute(node, "action"), "#")
				if action == "" {
					action = page
				}
				fields += fillForm(t, app, action, node)
			}
		}
	}
	return fields
}

// fillForm posts a form with each of its text fields filled in turn.
func fillForm(t *testing.T, app *apptest.App, action string, form *html.Node) int {
	t.Helper()
	values, texts := url.Values{}, map[string]bool{}
	pressed := false
	for node := range form.Descendants() {
		name, kind := attribute(node, "name"), attribute(node, "type")
		switch {
		case name == "":
		case node.Data == "button" && !pressed:
			values.Add(name, attribute(node, "value"))
			pressed = true
		case node.Data == "textarea", node.Data == "input" && slices.Contains([]string{"", "text", "email", "tel", "search", "url"}, kind):
			texts[name] = true
			usual := map[string]string{"amount": "5", "price": "5", "name": "Ann", "reason": "Late", "how": "amount", "first": "Ann", "last": "Lee"}
			values.Set(name, cmp.Or(attribute(node, "value"), usual[name]))
		case node.Data == "input" && kind == "password":
			values.Set(name, "Other-pass-2")
		case node.Data == "input" && slices.Contains([]string{"checkbox", "radio"}, kind):
			if values.Get(name) == "" {
				values.Add(name, attribute(node, "value"))
			}
		case node.Data == "input" && kind != "file":
			values.Set(name, attribute(node, "value"))
		case node.Data == "select":
			for option := range node.Descendants() {
				if option.Data == "option" && attribute(option, "value") != "" && values.Get(name) == "" {
					values.Set(name, attribute(option, "value"))
				}
			}
		}
	}
	for name := range texts {
		filled := url.Values{}
		for other, value := range values {
			filled[other] = value
		}
		filled.Set(name, "x "+number)
		answer := app.Post(t, action, filled)
		if answer.Status >= http.StatusInternalServerError || strings.Contains(answer.Body+answer.Location, number) {
			t.Errorf("%s, field %s: %d, or the answer repeats the number", action, name, answer.Status)
		}
	}
	return len(texts)
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Calls refuse card numbers in TestEveryRefusalNamesFieldAndRule.
func TestLongNumbersThatAreNoCards(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	const body = `{"merchantId":"panezski","trxRef":"5f0c7c4e-1f3a-4b2e-9d55-0a1b2c3d4e5f","source":"till 1764000000000","order":[{"name":"Butter Croissant","qty":1}]}`
	app.PostJSON(t, "/api/pos", json.RawMessage(body)).Want(t, http.StatusCreated, "a UUID and a time")
	app.Get(t, "/pos/4111111111111111").Want(t, http.StatusNotFound, "a menu")
}
