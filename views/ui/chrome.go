package ui

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"forecourt/internal/pay/settlement"
	"forecourt/internal/site/legal"
)

// Chrome holds what the frame around every page shows: who runs the site, where its links lead, and who is signed in. It travels in the
// context, so that no page has to pass it on.
type Chrome struct {
	Provider legal.Provider
	// Fees returns what the provider charges every shop; nil returns none.
	Fees func(context.Context) settlement.Fees
	// Bar returns the entries of the main bar. Only pages that show one call it; nil or none means Home alone (NAV-10).
	Bar func(context.Context) []Link
	// User is the name of the signed-in person, or empty for nobody (NAV-02, NAV-03).
	User string
	// Desk returns the frame that the pages about the signed-in person have: with the navigation of their business. nil returns none.
	Desk func(context.Context) Desk
	// Here is the address of the page, path and query, which signing in leads back to; empty where it leads to none, as on pages about
	// signing in.
	Here string
	// OpenDemo makes every page warn that this is a demo that others can reach.
	OpenDemo bool
	// Live means that the site is not a demo, so it has no demo businesses.
	Live bool
	// Styles decides how stylesheets reach the browser.
	Styles *Styles
	// Waiting counts the cases that wait for staff, by the address of their queue. Only staff pages call it; nil counts nothing.
	Waiting func(context.Context) map[string]int
}

// Link is a link in the navigation. Without a URL, only its name is shown.
type Link struct{ Name, URL string }

type chromeKey struct{}

// With returns a context whose pages have this chrome.
func With(ctx context.Context, c Chrome) context.Context {
	return context.WithValue(ctx, chromeKey{}, c)
}

// WithUser returns a context whose pages say that name is signed in. For desk see Chrome; it may be nil.
func WithUser(ctx context.Context, name string, desk func(context.Context) Desk) context.Context {
	c := Of(ctx)
	c.User, c.Desk = name, desk
	return With(ctx, c)
}

// Of returns the chrome of a context, empty if it has none.
func Of(ctx context.Context) Chrome {
	c, _ := ctx.Value(chromeKey{}).(Chrome)
	return c
}

// FeesOf returns what the provider of a context charges every shop.
func FeesOf(ctx context.Context) (f settlement.Fees) {
	if read := Of(ctx).Fees; read != nil {
		f = read(ctx)
	}
	return f
}

// SignInURL returns the address of the sign-in screen, which leads back here afterwards.
func (c Chrome) SignInURL() string {
	if c.Here == "" || c.Here == home.URL {
		return "/signin"
	}
	return "/signin?to=" + url.QueryEscape(c.Here)
}

func (c Chrome) bar(ctx context.Context) []Link {
	if c.Bar != nil {
		if links := c.Bar(ctx); len(links) > 0 {
			return links
		}
	}
	return []Link{home}
}

// current reports whether a link of the chrome leads to the current page.
func (c Chrome) current(link Link) bool {
	path, _, _ := strings.Cut(c.Here, "?")
	return path == link.URL
}

// nearest returns the address in a navigation that the current page is at or below, the longest if there are several, or "".
func (c Chrome) nearest(nav []Tab) (found string) {
	path, _, _ := strings.Cut(c.Here, "?")
	for _, t := range nav {
		for _, l := range append([]Link{t.Link}, t.Below...) {
			if len(l.URL) > len(found) && strings.HasPrefix(path+"/", l.URL+"/") {
				found = l.URL
			}
		}
	}
	return found
}

// initials stand for a person where there is no room for the name: "AL" for "Ada Lovelace", "A" for "ada@example.com".
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return ""
	}
	first := []rune(words[0])[:1]
	if last := words[len(words)-1]; len(words) > 1 {
		first = append(first, []rune(last)[0])
	}
	return strings.ToUpper(string(first))
}

var home = Link{Name: "Home", URL: "/"}

// The menu calls the dashboard "Application" (NAV-05). Because one of the forms is an application, too, a heading tells the two apart.
var dashboard = []Link{{"Application", "/merchant/admin"}}

var forms = []Link{
	{"Merchant application", "/form/application"},
	{"Shopping cart test account", "/form/wptest"},
	{"Direct debit test account", "/form/ddtest"},
	{"Test account", "/form/testacc"},
}

var documents = []Link{
	{"User Guides", "/docs"},
	{"Technical Documents", "/docs/api"},
}

// Legal leads through the legal documents.
func (c Chrome) Legal() []Tab { return Tabs(c.legal(), "") }

// Tabs returns a navigation of links, of which the one at the address here leads to the current page.
func Tabs(links []Link, here string) (all []Tab) {
	for _, l := range links {
		all = append(all, Tab{Link: l, Here: l.URL == here})
	}
	return all
}

// legal are the documents below the entry for them, which itself leads nowhere (NAV-06).
func (c Chrome) legal() []Link {
	p := c.Provider
	return []Link{{"Privacy policy", p.PrivacyURL}, {"Terms and conditions", p.TermsURL}, {"Financial services guide (PDF)", p.GuideURL}}
}

// demoOnly lists the prefixes of addresses that are demo data.
var demoOnly = []string{"/pos/panezski", "/onboarding/tokengen/demo-invite"}

// Leads reports whether an address of this site is worth a link.
func (c Chrome) Leads(address string) bool {
	return !c.Live || !slices.ContainsFunc(demoOnly, func(there string) bool {
		rest, found := strings.CutPrefix(address, there)
		return found && (rest == "" || strings.ContainsAny(rest[:1], "/?#"))
	})
}

// anchor is a link in a rendered text.
var anchor = regexp.MustCompile(`(?s)<a href="([^"]*)"[^>]*>(.*?)</a>`)

// Unlinked removes the links to missing pages from a rendered text, but keeps their words.
func (c Chrome) Unlinked(html string) string {
	if !c.Live {
		return html
	}
	return anchor.ReplaceAllStringFunc(html, func(link string) string {
		if found := anchor.FindStringSubmatch(link); !c.Leads(found[1]) {
			return found[2]
		}
		return link
	})
}

// Demos returns the demos that can be tried (NAV-07).
func (c Chrome) Demos() []Link {
	return slices.DeleteFunc(slices.Clone(demos), func(l Link) bool { return !c.Leads(l.URL) })
}

var demos = []Link{
	{"All-in-one demo", "/demo"},
	{"Terminal bridge", "/demo/bridge"},
	{"Hosted payment page", "/demo/hps"},
	{"QR ordering", "/demo/qr"},
	{"Key generator", "/demo/keygen"},
	{"Order menu", "/pos/panezski"},
}
