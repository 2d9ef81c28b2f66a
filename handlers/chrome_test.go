package handlers_test

import (
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestWhichPagesHaveTheSharedBarsAndFooter(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{EmbedOrigins: []string{"https://shop.example"}})
	t.Run("the pages of customers have their own footer instead of the shared bars (CHROME-11 PAY-06)", func(t *testing.T) {
		for path, shared := range map[string]bool{
			"/": true, "/search": true, "/demo/qr": true, "/form/application": true, "/privacy": true, "/docs": true, "/crm/ws": true,
			"/s/nosuch": true, "/pos/nosuch": true, "/onboarding/tokengen/demo-invite": true, "/merchant/admin": true,
			"/pos/panezski": false, "/pos/panezski/order": false, "/pos/panezski/demo": false, "/pos/panezski/nosuch": false,
		} {
			v := app.Visit(t, path)
			bars := v.Find("nav", "aria-label=Top") != nil && v.Find("nav", "aria-label=Main") != nil && v.Find("footer", "id=contact") != nil
			check.Equal(t, bars, shared, "%s", path)
			v.Shows("footer")
			if powered := strings.Contains(v.Text(), "Powered by"); powered == shared {
				t.Errorf("%s: has the customer's footer: %t", path, powered)
			}
		}
	})
	t.Run("who is signed in has the footer, whose offices fold, and the top bar in their menu (CHROME-11 NAV-01 NAV-04 NAV-08)",
		func(t *testing.T) {
			merchant, staff := app.NewPerson(t).SignIn(t), app.NewPerson(t).SignInStaff(t)
			for path, by := range map[string]*apptest.App{
				"/": merchant, "/account": merchant, "/merchant/admin": merchant, "/desk": merchant, "/desk/panezski/links": merchant,
				"/staff/forms": staff,
			} {
				v := by.Visit(t, path)
				check.Equal(t, v.Find("footer", "class=foot slim") != nil, true, "%s: folded", path)
				foot, menu := v.Texts("footer")[0], v.Texts("details")[0]
				for _, want := range []string{
					"Forecourt and its offices", "Australia", "United Kingdom", "Australian Financial Services Licence",
					"© 2025 Forecourt Privacy policy Terms and conditions Financial services guide (PDF)",
				} {
					check.Contains(t, foot, want, "%s: the footer", path)
				}
				for _, want := range []string{"Your account", "Home Forms", "Application Forms to fill in", "Developers Documents", "Logout"} {
					check.Contains(t, menu, want, "%s: the person's menu", path)
				}
				check.Equal(t, v.Find("nav", "aria-label=Main") != nil, path == "/", "%s has the main bar", path)
			}
		})
	framed := app.Visit(t, "/merchant/admin?e=600")
	sheet := framed.Find("link", "href=/merchant/admin/width.css?e=600")
	t.Run("embed mode hides the shared bars (CHROME-11)", func(t *testing.T) {
		if sheet == nil || !strings.Contains(app.Get(t, "/merchant/admin/width.css?e=600").Body, "header.top,body>footer{display:none}") {
			t.Error("embed mode shows the shared bars")
		}
	})
}
