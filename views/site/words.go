package site

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/views/ui"
)

// Promise says in one sentence what the provider of that name does.
func Promise(provider string) string {
	return provider + " gives a café, bar or shop its own menu and payment page, so that guests order " +
		"and pay by themselves, without an app or an account."
}

// promises are the start page's first words about how it works.
var promises = []string{"Charged once, or not at all", "Works on any phone, without an app", "Free to try before you apply"}

// ways are the links for somebody who is signed in.
var ways = []ui.Link{
	{Name: "Your business: menu, tables and pay links", URL: "/desk"},
	{Name: "Your integration and test credentials", URL: "/merchant/admin"},
	{Name: "Your merchant application", URL: "/form/application"},
	guides, account,
}

var (
	guides  = ui.Link{Name: "Guides and technical documents", URL: "/docs"}
	account = ui.Link{Name: "Your account", URL: "/account"}
)

// work returns the link to where the signed-in person works.
func (l Landing) work() ui.Link {
	if l.Staff {
		return ui.Link{Name: "See what waits", URL: "/staff"}
	}
	return ui.Link{Name: "Open your business", URL: "/desk"}
}

// ways returns the links for the reader.
func (l Landing) ways() []ui.Link {
	if l.Staff {
		return []ui.Link{{Name: "What waits for staff", URL: "/staff"}, guides, account}
	}
	return ways
}

// audience is a group of people whom the provider serves (CHROME-10).
type audience struct{ icon, who, text, action, url string }

var audienceList = []audience{
	{
		"store", "Owners", "Apply online at your own pace, stop and continue where you left off, and follow the decision.",
		"Start an application", "/form/application",
	},
	{
		"utensils", "Guests", "Scan the code, choose, pay by card or wallet. The page says when the order is ready.",
		"See what guests see", "/pos/panezski",
	},
	{
		"code-xml", "Developers", "Test credentials, a test gateway with cards that approve, decline and fail, and samples to copy.",
		"Read the documents", "/docs/api",
	},
	{
		"chef-hat", "Kitchens",
		"Paid orders, by the place where they are made, on any screen with a browser. Guests are told when theirs is ready.",
		"Open your business", "/desk",
	},
}

// AnyMenu is the menu on the first phone of a site without a business to try.
var AnyMenu = Sample{
	Name: "Corner Café", Tagline: "Breakfast until noon", Category: "Drinks", Total: "$10.00",
	Dishes: []Dish{
		{"Flat White", "Two shots and velvety milk.", "$5.00"}, {"Pot of Tea", "Leaves, for one or two.", "$4.50"},
		{"Iced Latte", "Over ice, with oat milk if you like.", "$6.50"},
	},
}

// failures explain failures by their HTTP status, in a title and a text.
var failures = map[int][2]string{
	404: {"Page not found", "There is nothing at this address. It may have been typed or copied with a piece missing."},
	400: {"Your request did not arrive complete", "We could not read what your browser sent. Please go back and try again."},
	415: {"Your request did not arrive complete", "We could not read what your browser sent. Please go back and try again."},
	403: {"Not from here", "This request came from another site, so we did not act on it. Please open the page here and try again."},
	409: {"That is no longer possible", "Something changed in the meantime. Please go back and look again."},
	410: {"This has expired", "It was valid for a limited time, which has passed."},
	413: {"That was too much at once", "What was sent is larger than this page takes. Please shorten it and try again."},
	429: {"Too many tries", "Please wait a moment and try again."},
	405: {"Not this way", "This address does not take that kind of request."},
	500: {"Something went wrong", "The mistake is on our side, and we have made a note of it. Please try again in a while."},
	503: {"Back in a moment", "We cannot reach a part of our service just now. Nothing was lost. Please try again in a few seconds."},
}

// onward leads from what failed, by the first part of its address; from all others, the start page does.
var onward = map[string][2]string{
	"account": {"/account", "Go to your account"}, "desk": {"/desk", "Go to your businesses"},
	"docs": {"/docs", "Go to the documentation"}, "staff": {"/staff", "Go to the staff’s pages"},
}

// FailureFor explains a failure by its HTTP status. address is what failed, and reference the request's id in the log.
func FailureFor(status int, address *url.URL, reference string) Failure {
	words, ok := failures[status]
	if !ok {
		words = failures[500]
	}
	if status == 503 {
		return Failure{Title: words[0], Text: words[1], OnText: "Try again", Reference: reference}
	}
	first, rest, deeper := strings.Cut(strings.TrimPrefix(address.Path, "/"), "/")
	way, ok := onward[first]
	if shop, _, inside := strings.Cut(rest, "/"); first == "pos" && shop != "" && (inside || status != 404) {
		way = [2]string{"/pos/" + url.PathEscape(shop) + chosen(address.Query()), "Go to the menu"}
	} else if !ok || !deeper {
		way = [2]string{"/", "Go to the start page"}
	}
	return Failure{Title: words[0], Text: words[1], OnURL: way[0], OnText: way[1], Reference: reference}
}

// chosen returns what an address says of a guest's table, name, basket, tip and filter, so that the menu has them again.
func chosen(query url.Values) string {
	maps.DeleteFunc(query, func(name string, values []string) bool {
		return !slices.Contains([]string{"t", "at", "n", "b", "k", "f", "tip", "other"}, name) || slices.ContainsFunc(values, card.HoldsCard)
	})
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// UnknownLink is the failure for a short link that never was. reference is the request's id in the log.
func UnknownLink(reference string) Failure {
	return Failure{
		Title: "This link does not exist", Reference: reference, OnURL: "/", OnText: "Go to the start page",
		Text: "There is no such short link. It may have been typed or copied with a piece missing.",
	}
}

// ExpiredLink is the failure for a short link that was valid once. reference is the request's id in the log.
func ExpiredLink(reference string) Failure {
	return Failure{
		Title: "This link has expired", Reference: reference, OnURL: "/", OnText: "Go to the start page",
		Text: "It was valid for a limited time, which has passed. Please ask whoever gave it to you for a new one.",
	}
}

// LostFailure is the failure for data that was sealed with a key that the program no longer has. reference is the request's id in the log.
func LostFailure(reference string) Failure {
	return Failure{
		Title: "This cannot be opened right now", Reference: reference, OnURL: "/", OnText: "Go to the start page",
		Text: "The data is locked with a key that is missing on our side. Nothing was changed. Please tell " +
			"us, with the reference below: we can restore the key.",
	}
}

// NoRight is the failure for somebody whose role lacks the right, or for staff, who may only look. reference is the request's id in the
// log.
func NoRight(reference string) Failure {
	return Failure{
		Title: "You may not do this", Reference: reference, OnURL: "/desk", OnText: "Your businesses",
		Text: "Your role in this business does not allow this. An owner or a manager can change that. Nothing was changed.",
	}
}

// given returns a value from an address, or words that say it is missing.
func given(value string) string {
	value = strings.TrimSpace(strings.ToValidUTF8(value, "\uFFFD"))
	if value == "" {
		return "not given"
	}
	return value
}
