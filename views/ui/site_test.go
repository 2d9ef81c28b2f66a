package ui

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
)

var someone = legal.Provider{
	Name: "Southpay", Licence: "424242", Year: "2025", SupportMail: "hello@southpay.example",
	Australia:     legal.Office{Address: "1 First Street, Sydney", Phone: "+61 2 5550 0001", TollFree: "1800 975 711"},
	UnitedKingdom: legal.Office{Address: "2 Second Street, London", Phone: "+44 20 7946 0001", Fax: "+44 20 7946 0002"},
	PrivacyURL:    "/privacy", TermsURL: "https://southpay.example/terms", GuideURL: "/guide.pdf",
}

// dressed returns a context like that of the site's pages.
func dressed(t *testing.T) context.Context {
	t.Helper()
	return With(t.Context(), Chrome{Provider: someone})
}

// page is a rendered page whose parts tests can look up.
type page struct {
	*html.Node
	text string
}

func sitePage(ctx context.Context, t *testing.T, s Site) page {
	t.Helper()
	var out strings.Builder
	check.Must(t, SitePage(s).Render(ctx, &out))
	doc, err := html.Parse(strings.NewReader(out.String()))
	check.Must(t, err)
	return page{doc, out.String()}
}

// find returns the elements of a kind whose attribute has a value, below a node.
func find(below *html.Node, kind, attribute, value string) []*html.Node {
	var found []*html.Node
	for node := range below.Descendants() {
		if node.Type != html.ElementNode || node.Data != kind {
			continue
		}
		for _, a := range node.Attr {
			if a.Key == attribute && a.Val == value {
				found = append(found, node)
			}
		}
	}
	return found
}

func words(node *html.Node) string {
	var text strings.Builder
	for part := range node.Descendants() {
		if part.Type == html.TextNode {
			text.WriteString(part.Data + " ")
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// entries lists the names and addresses of the links in a list. A word without a link has an empty address.
func entries(below *html.Node) []Link {
	var all []Link
	for node := range below.Descendants() {
		if node.Type != html.ElementNode || node.Data != "a" && node.Data != "span" {
			continue
		}
		link := Link{Name: words(node)}
		for _, a := range node.Attr {
			if a.Key == "href" {
				link.URL = a.Val
			}
		}
		all = append(all, link)
	}
	return all
}

func same(t *testing.T, what string, got, want []Link) {
	t.Helper()
	check.MustEqual(t, len(got), len(want), "%s: %v, want %v", what, got, want)
	for i := range want {
		check.Equal(t, got[i], want[i], "%s", what)
	}
}

func TestTheTopBar(t *testing.T) {
	t.Parallel()
	doc := sitePage(dressed(t), t, Site{Title: "Search"})
	bar := find(doc.Node, "nav", "aria-label", "Top")[0]
	t.Run("Home leads to the start page (NAV-01)", func(t *testing.T) {
		if home := find(bar, "a", "href", "/"); len(home) != 1 || words(home[0]) != "Home" {
			t.Error("no Home")
		}
	})
	menus := find(bar, "details", "class", "drop")
	check.MustEqual(t, len(menus), 2, "dropdowns")
	t.Run("the Forms dropdown has five entries, the first is Application (NAV-04 NAV-05)", func(t *testing.T) {
		same(t, "the Forms dropdown", entries(menus[0]), []Link{
			{"Application", "/merchant/admin"}, {"Merchant application", "/form/application"}, {"Shopping cart test account", "/form/wptest"},
			{"Direct debit test account", "/form/ddtest"}, {"Test account", "/form/testacc"},
		})
	})
	t.Run("the Developers dropdown has guides, documents and six demos (NAV-06 NAV-07)", func(t *testing.T) {
		same(t, "the Developers dropdown", entries(menus[1]), []Link{
			{"User Guides", "/docs"}, {"Technical Documents", "/docs/api"}, {"Privacy policy", "/privacy"},
			{"Terms and conditions", "https://southpay.example/terms"}, {"Financial services guide (PDF)", "/guide.pdf"},
			{"All-in-one demo", "/demo"}, {"Terminal bridge", "/demo/bridge"}, {"Hosted payment page", "/demo/hps"},
			{"QR ordering", "/demo/qr"}, {"Key generator", "/demo/keygen"}, {"Order menu", "/pos/panezski"},
		})
		check.Contains(t, words(menus[1]), "Technical Documents Legal Documents Privacy policy Terms and conditions", "NAV-06 a heading")
	})
}

func TestTheFooter(t *testing.T) {
	t.Parallel()
	doc := sitePage(dressed(t), t, Site{Title: "Search", Description: "Find & go"})
	foot := find(doc.Node, "footer", "id", "contact")[0]
	check.Equal(t, len(find(foot, "img", "alt", "Southpay")), 1, "the logo is in the footer (CHROME-01)")
	text := words(foot)
	t.Run("the footer has the offices, the year and the licence (CHROME-02 CHROME-03 CHROME-07 CHROME-08)", func(t *testing.T) {
		for _, want := range []string{
			"Australia 1 First Street, Sydney Tel. +61 2 5550 0001 Toll-free 1800 975 711",                       // CHROME-02
			"United Kingdom 2 Second Street, London Tel. +44 20 7946 0001 Fax +44 20 7946 0002",                  // CHROME-03
			"© 2025 Southpay Privacy policy Terms and conditions Financial services guide (PDF) Status Southpay", // CHROME-04 to 06, 08
			"holds Australian Financial Services Licence No. 424242.",                                            // CHROME-07
		} {
			check.Contains(t, text, want, "the footer lacks")
		}
	})
	for _, href := range []string{"/privacy", "https://southpay.example/terms", "/guide.pdf", "tel:+61255500001", "mailto:hello@southpay.example"} {
		check.Equal(t, len(find(foot, "a", "href", href)), 1, "CHROME-04 CHROME-05 CHROME-06 no link to %s", href)
	}
	check.Contains(t, doc.text, "<title>Search · Southpay</title>", "the head does not name the page and the provider")
	check.Contains(t, doc.text, `content="Find &amp; go"`, "the head does not name the page and the provider")
	check.Lacks(t, doc.text, "Forecourt", "the page names another provider")
	own := someone
	own.Logo, own.UnitedKingdom.Fax = "/brand/logo.svg", ""
	doc = sitePage(With(t.Context(), Chrome{Provider: own}), t, Site{})
	t.Run("the logo is the provider's own, and no fax number is shown where there is none (CHROME-01)", func(t *testing.T) {
		if len(find(doc.Node, "img", "src", "/brand/logo.svg")) != 2 || strings.Contains(doc.text, "Fax") {
			t.Error("the footer lacks the provider's own logo, or shows a fax number that it does not have")
		}
	})
}

func TestAPageLoadsOnlyWhatItNeeds(t *testing.T) {
	t.Parallel()
	doc := sitePage(dressed(t), t, Site{})
	if got := strings.Count(doc.text, "<script"); got != 1 || !strings.Contains(doc.text, "site") {
		t.Errorf("%d scripts on a plain page", got)
	}
	doc = sitePage(dressed(t), t, Site{Scripts: []string{"/static/form.js"}, Styles: []string{"/static/form.css"}})
	check.Contains(t, doc.text, `src="/static/form.js"`, "a page's own script and style are missing")
	check.Contains(t, doc.text, `href="/static/form.css"`, "a page's own script and style are missing")
}
