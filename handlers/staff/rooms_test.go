package staff_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/dbtest"
)

func TestStaffFindTheirWay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	dbtest.Exec(t, app.Pool, `DELETE FROM shop_account WHERE shop_code = 'sabona';
		INSERT INTO go_live (shop_code, asked_by) VALUES ('sabona', 'ann@example.com') ON CONFLICT (shop_code) DO UPDATE SET state = 'waiting'`)
	rooms := map[string]string{
		"/staff/forms": "Forms", "/staff/compliance": "Identities", "/staff/accounts": "Gateway accounts", "/staff/live": "Going live",
		"/staff/payments": "Payments", "/staff/refunds": "Refunds", "/staff/payouts": "Payouts", "/staff/disputes": "Disputes", "/staff/unmatched": "Unmatched",
		"/staff/site": "Start page",
	}
	below := map[string]string{"/staff/accounts/sabona": "Gateway accounts", "/staff/live/sabona": "Going live", "/staff/site/nav/new": "Start page"}
	for path, name := range rooms {
		below[path] = name
	}
	for path, name := range below {
		v := staff.Visit(t, path)
		bar := v.Find("nav", "aria-label=Staff")
		if bar == nil {
			t.Errorf("%s has no bar", path)
			continue
		}
		var current []string
		led := map[string]string{}
		for node := range bar.Descendants() {
			if node.Data != "a" {
				continue
			}
			text := textOf(node)
			for _, a := range node.Attr {
				switch a.Key {
				case "href":
					led[a.Val] = text
				case "aria-current":
					current = append(current, text)
				}
			}
		}
		if len(current) != 1 || !strings.HasPrefix(current[0], name) || len(led) != len(rooms) {
			t.Errorf("%s: the current entry is %q, want %s, of %v", path, current, name, led)
		}
		if led["/staff/live"] != "Going live 1" || led["/staff/refunds"] != "Refunds" || !strings.HasPrefix(led["/staff/accounts"], "Gateway accounts ") {
			t.Errorf("%s counts %v", path, led)
		}
	}
	staff.Visit(t, "/").Has("Businesses that want to go live 1 waiting")
}

func textOf(n *html.Node) string {
	var all []string
	for node := range n.Descendants() {
		if node.Type == html.TextNode {
			all = append(all, strings.Fields(node.Data)...)
		}
	}
	return strings.Join(all, " ")
}
