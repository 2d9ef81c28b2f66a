package ui

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/static"
)

func TestCustomerPageHead(t *testing.T) {
	t.Parallel()
	merchant := Merchant{Name: "Corner Café", ThemeLight: "#b4532a", ThemeDark: "#692300", Colours: static.NewStyle(":root{--hue:1}")}
	for _, c := range []struct {
		name       string
		frame      Customer
		has, lacks []string
	}{
		{
			"the title says page, merchant, provider; both themes colour the browser",
			Customer{Title: "Menu", Description: "Order at Corner Café.", Merchant: merchant},
			[]string{
				`<meta name="description" content="Order at Corner Café.">`,
				"<style>:root{--hue:1}</style>", "<title>Menu · Corner Café · Southpay</title>", `lang="en-AU"`,
				`content="#b4532a" media="(prefers-color-scheme: light)"`, `content="#692300" media="(prefers-color-scheme: dark)"`,
			},
			[]string{"http-equiv", "<script", "modulepreload", "<style>:root{--hue:2}"},
		},
		{
			"a waiting page reloads itself only without scripts",
			Customer{Merchant: merchant, Refresh: 5},
			[]string{`<noscript><meta http-equiv="refresh" content="5"></noscript>`},
			[]string{`name="description"`},
		},
		{
			"a waiting page redirects without scripts",
			Customer{Merchant: merchant, Refresh: 3, RefreshURL: "/pos/cafe/abc?x=1&y=2"},
			[]string{`content="3;url=/pos/cafe/abc?x=1&amp;y=2"`},
			nil,
		},
		{
			"scripts are modules, and what they import comes early",
			Customer{Merchant: merchant, Scripts: []string{"/static/a.js"}, Preload: []string{"/static/b.js"}},
			[]string{`<script type="module" src="/static/a.js" fetchpriority="low"></script>`, `<link rel="modulepreload" href="/static/b.js" fetchpriority="low">`},
			nil,
		},
		{
			"without a merchant the page keeps the provider's looks",
			Customer{Title: "Not found"},
			[]string{"<title>Not found · Southpay</title>"},
			[]string{"theme-color", `href=""`, `src=""`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var page strings.Builder
			check.Must(t, CustomerPage(c.frame).Render(dressed(t), &page))
			for _, want := range c.has {
				check.Contains(t, page.String(), want, "page.String")
			}
			for _, not := range c.lacks {
				check.Lacks(t, page.String(), not, "page.String")
			}
		})
	}
}
