package site

import (
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/frontpage"
	"forecourt/internal/site/legal"
	"forecourt/views/ui"
)

func TestPages(t *testing.T) {
	t.Parallel()
	shops := []shop.Demo{{Code: "cafe", Name: "Corner Café", Tagline: "Since 1989"}}
	for _, c := range []struct {
		name, user string
		page       templ.Component
		has, lacks []string
	}{
		{
			"the start page welcomes to the provider, and leads to the demo menus and the demo payment (LAND-01)", "",
			LandingPage(Landing{Shops: shops}),
			[]string{"<title>Southpay</title>", "Welcome to Southpay.", "Southpay gives a café", `href="/pos/cafe"`, "Corner Café", "Since 1989", `href="/pos/cafe/demo"`},
			[]string{"Forecourt", "carousel"},
		},
		{
			"without a business to try it leads to an account", "",
			LandingPage(Landing{}),
			[]string{`<a class="button primary" href="/signup">`},
			[]string{"Try a payment", `class="card tile"`},
		},
		{
			"every slide has its title and sub title, and 5000 ms (LAND-02 LAND-03)", "",
			LandingPage(Landing{Slides: []frontpage.Slide{{Title: "First & best", SubTitle: "One"}, {Title: "Second", SubTitle: "Two"}}}),
			[]string{"<h3>First &amp; best</h3><p>One</p>", "<h3>Second</h3><p>Two</p>", `data-interval="5000"`},
			nil,
		},
		{
			"who is signed in goes on from here (LAND-05)", "Ann <script>",
			LandingPage(Landing{}),
			[]string{"You are signed in as Ann &lt;script&gt;", "Open your business", `href="/desk"`, `href="/merchant/admin"`,
				`href="/form/application"`, `href="/account"`},
			[]string{`action="/signin"`},
		},
		{
			"a document has its contents, paragraphs, lists and facts (CHROME-04)", "",
			LegalPage(legal.Document{Title: "Privacy policy", Summary: "In short.", Sections: []legal.Section{
				{ID: "who", Title: "Who we are", Blocks: []legal.Block{{Text: "We are."}, {List: []string{"this", "that"}}}},
				{ID: "where", Title: "Where", Blocks: []legal.Block{{Facts: []legal.Fact{{Name: "Phone", Value: "123"}}}}},
			}}),
			[]string{
				"<h1>Privacy policy</h1>", "In short.", "Southpay · 2025", `<a href="#where">Where</a>`, `<h2 id="where">2. Where</h2>`,
				"<p>We are.</p>", "<ul><li>this</li><li>that</li></ul>", "<dt>Phone</dt><dd>123</dd>",
			},
			nil,
		},
		{
			"an error page says what happened and offers one way on", "",
			Failed(Failure{Title: "Page not found", Text: "It is not here.", OnURL: "/", OnText: "Go to the start page"}),
			[]string{">Page not found</h1>", "It is not here.", `<a class="button primary" href="/">Go to the start page</a>`},
			[]string{"Reference"},
		},
		{
			"trying again is the same address, and a reference helps to find the request", "",
			Failed(Failure{Title: "Back in a moment", OnText: "Try again", Reference: "7f3a"}),
			[]string{`<a class="button primary" href="">Try again</a>`, "Reference 7f3a"},
			nil,
		},
		{
			"a search says what was asked for, in one line (ROUTE-03)", "",
			SearchPage("+61 2 5550 0123", "<b>Ann</b>"),
			[]string{"<h1>Phone number: +61 2 5550 0123 · Name: &lt;b&gt;Ann&lt;/b&gt;</h1>"},
			[]string{"<b>"},
		},
		{
			"a search for nothing (ROUTE-03)", "",
			SearchPage("", " \xff"),
			[]string{"<h1>Phone number: not given · Name: \uFFFD</h1>"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := ui.With(t.Context(), ui.Chrome{Provider: legal.Provider{Name: "Southpay", Year: "2025"}, User: c.user})
			var out strings.Builder
			check.Must(t, c.page.Render(ctx, &out))
			for _, want := range c.has {
				check.Contains(t, out.String(), want, "out.String")
			}
			for _, not := range c.lacks {
				check.Lacks(t, out.String(), not, "out.String")
			}
		})
	}
}

func TestAFailureLeadsOnToWhereItsAddressBelongs(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/": "/", "/nope": "/", "*": "/", "/desk": "/", "/desk/panezski/payments/nope": "/desk", "/docs/nope": "/docs",
		"/pos/panezski/item/99": "/pos/panezski", "/pos/nope": "/", "/pos//evil.test/": "/", "/account/nope": "/account",
		"/staff/nope": "/staff",
	} {
		check.Equal(t, FailureFor(404, &url.URL{Path: path}, "").OnURL, want, "from %s", path)
	}
	for query, want := range map[string]string{
		"t=Door&n=Ann&b=12x2&k=K&f=nuts&f=soy": "?b=12x2&f=nuts&f=soy&k=K&n=Ann&t=Door", "at=5&t=77&edit=12&qty=1": "?at=5&t=77",
		"t=4111+1111+1111+1111": "", "t=%22%3E%3Cb%3E": "?t=%22%3E%3Cb%3E",
	} {
		for _, path := range []string{"/pos/panezski", "/pos/panezski/order"} {
			f := FailureFor(429, &url.URL{Path: path, RawQuery: query}, "")
			check.Equal(t, f.OnURL, "/pos/panezski"+want, "from a basket, %s", query)
		}
	}
}

func TestEveryFailureHasItsOwnText(t *testing.T) {
	t.Parallel()
	titles := map[string]int{}
	for _, status := range []int{400, 403, 404, 405, 409, 410, 413, 429, 500, 503} {
		f := FailureFor(status, &url.URL{Path: "/nope"}, "7f3a")
		if f.Title == "" || f.Text == "" || f.OnText == "" {
			t.Errorf("%d: %+v", status, f)
		}
		check.Equal(t, f.Reference, "7f3a", "%d: reference", status)
		if other, ok := titles[f.Title]; ok {
			t.Errorf("%d and %d read the same", status, other)
		}
		titles[f.Title] = status
	}
}
