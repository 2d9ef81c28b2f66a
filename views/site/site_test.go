package site

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/views/layout"
)

func TestPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		page       templ.Component
		has, lacks []string
	}{
		{
			"the landing page leads to the demo menus and the demo payment",
			LandingPage(Landing{
				Frame:   layout.Site{Description: "Order & pay", Year: "2025"},
				Shops:   []Shop{{Name: "Corner Café", Tagline: "Since 1989", URL: "/pos/cafe?t=4"}},
				PayDemo: "/pos/cafe/demo",
			}),
			[]string{
				"<title>Forecourt</title>", `content="Order &amp; pay"`, `href="/pos/cafe?t=4"`, "Corner Café", "Since 1989",
				`href="/pos/cafe/demo"`, "© 2025 Forecourt",
			},
			nil,
		},
		{
			"an error page says what happened and offers one way on",
			ErrorPage(Failure{Title: "Page not found", Text: "It is not here.", OnURL: "/", OnText: "Go to the start page"}),
			[]string{"<h1>Page not found</h1>", "It is not here.", `<a class="button" href="/">Go to the start page</a>`},
			[]string{"Reference"},
		},
		{
			"trying again is the same address, and a reference helps to find the request",
			ErrorPage(Failure{Title: "Back in a moment", OnText: "Try again", Reference: "7f3a"}),
			[]string{`<a class="button" href="">Try again</a>`, "Reference 7f3a"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := c.page.Render(t.Context(), &out); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.has {
				if !strings.Contains(out.String(), want) {
					t.Errorf("lacks %s", want)
				}
			}
			for _, not := range c.lacks {
				if strings.Contains(out.String(), not) {
					t.Errorf("has %s", not)
				}
			}
		})
	}
}
