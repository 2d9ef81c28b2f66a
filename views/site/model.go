// Package site renders the provider's own pages: the landing page, the legal documents and the error page.
package site

import (
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/frontpage"
	"forecourt/internal/site/legal"
	"forecourt/views/ui"
)

// Landing says what the provider does and leads to the demonstrations.
type Landing struct {
	Frame  ui.Site
	Slides []frontpage.Slide
	Shops  []shop.Demo // whose menus can be tried
	Sample Sample      // on the phones
	Staff  bool        // whether the signed-in person is staff
}

// Sample is a business as its guests see it on the phones of the landing page.
type Sample struct {
	Name, Tagline, Category string
	Dishes                  []Dish
	Total                   string // of two of the first dish
}

// Dish is a line of a menu.
type Dish struct{ Name, Text, Price string }

// costsOf lists what a shop pays.
func costsOf(f settlement.Fees) []legal.Fact {
	const order = 20_00
	month, gst := "Nothing", "Included in the fees"
	if f.MonthlyMinor > 0 {
		month = money.Label(f.MonthlyMinor, f.Currency)
	}
	if f.GstAdded {
		gst = "Added to the fees"
	}
	return []legal.Fact{
		{Name: "Each payment", Value: f.EachPayment()}, {Name: "Each month", Value: month}, {Name: "GST", Value: gst},
		{
			Name:  "An order of " + money.Label(order, f.Currency),
			Value: money.Label(f.Of(order, 1), f.Currency) + " for us, " + money.Label(order-f.Of(order, 1), f.Currency) + " for you",
		},
		{Name: "When", Value: "Deducted from your payouts, which list each payment"},
		{Name: "Your guests", Value: "Pay nothing to us"},
		{Name: "To try it", Value: "Nothing"},
	}
}

// slidePicture is how wide the picture of a slide is, in CSS pixels.
const slidePicture = 48

// Failure is the error page.
type Failure struct {
	Title  string // "Page not found"
	Text   string // what happened and what to do, without blame
	OnURL  string // the one way on; empty is the same address again
	OnText string // "Go to the start page"
	// Reference finds the request in the log; empty for none.
	Reference string
}

// heading numbers a section as its document does.
func heading(at int, s legal.Section) string { return strconv.Itoa(at+1) + ". " + s.Title }
