package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// TestNamesFromRightToLeftTurnNothingAround requires that each Arabic name beside other text stands apart from it, so that no quantity and no
// price is drawn on the wrong side.
func TestNamesFromRightToLeftTurnNothingAround(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.PublishMenu(t, app.Pool, "UPDATE item SET name = 'شاورما 3 قطع' WHERE name = 'Butter Croissant'")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET name = 'مطعم 7' WHERE code = 'panezski'")
	body := map[string]any{
		"merchantId": "panezski", "name": "محمد علي 2", "order": []any{map[string]any{"name": "شاورما 3 قطع", "qty": 2}}, "description": "غداء 5",
	}
	answer := app.PostJSON(t, "/api/pos", body)
	answer.Must(t, http.StatusCreated, "order")
	id := apptest.JSON[struct{ TrxID string }](t, answer).TrxID
	const itemsOn = "UPDATE item SET sold_out = $1 WHERE name LIKE '%قطع'"
	dbtest.Exec(t, app.Pool, itemsOn, true)
	standApart(t, app, "/pos/panezski/"+id)
	dbtest.Exec(t, app.Pool, itemsOn, false)
	standApart(t, app, "/pos/panezski", "/pos/panezski/"+id)
	app.Post(t, "/pos/panezski/"+id, map[string][]string{
		"name": {"Ann علي 4"}, "card": {"4111 1111 1111 1111"}, "exp": {"12/34"}, "cvc": {"987"}, "email": {"a@example.com"}, "key": {"one"},
	})
	receipt := ""
	apptest.Eventually(t, "there is a receipt", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT '/receipt/' || token FROM receipt WHERE transaction_id = $1", id).Scan(&receipt) == nil
	})
	item := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM item WHERE name = 'شاورما 3 قطع'")
	standApart(t, app, "/pos/panezski/"+id, receipt, "/pos/panezski/order?b="+item+"x2&k=one")
	app.SignIn(t)
	payment := "/desk/panezski/payments/" + id
	standApart(t, app, "/desk/panezski", "/desk/panezski/payments", payment, payment+"/refund", "/desk/panezski/menu", "/pos/panezski/kitchen", "/account",
		"/desk/panezski/tables", "/desk/panezski/team", "/desk/panezski/today")
	preview := app.Post(t, payment+"/refund", map[string][]string{"do": {"preview"}, "how": {"lines"}, "qty-1": {"1"}, "reason": {"بارد 9"}})
	preview.Must(t, http.StatusOK, "preview")
	isolated(t, "the preview of a refund", preview.Body)
	plain := ""
	apptest.Eventually(t, "there is a letter", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT plain FROM mail WHERE plain LIKE '%شاورما%'").Scan(&plain) == nil
	})
	check.Contains(t, plain, "2 × \u2068شاورما 3 قطع\u2069: $11.00", "the receipt as plain text")
	check.Contains(t, plain, "\n\u2068مطعم 7\u2069\nABN ", "the receipt as plain text")
}

func standApart(t *testing.T, app *apptest.App, pages ...string) {
	t.Helper()
	for _, page := range pages {
		answer := app.Get(t, page)
		answer.Must(t, http.StatusOK, page)
		isolated(t, page, answer.Body)
	}
}

func isolated(t *testing.T, page, body string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	check.Must(t, err)
	blocks := strings.Fields("p li td th dt dd h1 h2 h3 div button label option title section article a caption summary legend figcaption span")
	arabic := func(r rune) bool { return unicode.Is(unicode.Arabic, r) }
	for node := range doc.Descendants() {
		if node.Type != html.TextNode || !strings.ContainsFunc(node.Data, arabic) || node.Parent.Data == "script" || node.Parent.Data == "textarea" {
			continue
		}
		first := strings.IndexFunc(node.Data, arabic)
		apart := strings.Contains(node.Data[:first], "\u2068")
		block := node.Parent
		for ; !slices.Contains(blocks, block.Data); block = block.Parent {
			apart = apart || block.Data == "bdi"
		}
		beside := strings.Replace(text(block), strings.TrimSpace(node.Data), "", 1)
		if own := strings.TrimLeftFunc(strings.TrimSpace(node.Data), func(r rune) bool { return !unicode.IsLetter(r) }); apart ||
			strings.TrimSpace(beside) == "" && arabic([]rune(own)[0]) && own == strings.TrimSpace(node.Data) {
			continue
		}
		t.Errorf("%s: %q in %q", page, strings.TrimSpace(node.Data), text(block))
	}
}

func text(node *html.Node) string {
	var all strings.Builder
	for part := range node.Descendants() {
		if part.Type == html.TextNode && part.Parent.Data != "script" && part.Parent.Data != "style" {
			all.WriteString(part.Data + " ")
		}
	}
	return strings.Join(strings.Fields(all.String()), " ")
}
