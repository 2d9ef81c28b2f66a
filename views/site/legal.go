package site

import "forecourt/views/layout"

// Promise says in one sentence what the provider does.
const Promise = "Forecourt gives a café, bar or shop its own menu and payment page, so that guests order and pay by themselves."

// Legal is a page of text that customers are pointed to.
type Legal struct {
	Frame    layout.Site
	Title    string
	Sections []Section
}

// Section is a heading with its paragraph.
type Section struct{ Title, Text string }

// Privacy says what happens to what a customer types.
func Privacy() Legal {
	return legal("Privacy policy", []Section{
		{"What we keep", "For an order: what was ordered, the table or name, the amount and when it was paid. For a card: its brand, its last four digits and its expiry date, and the name and email address that were typed with it."},
		{"What we never keep", "The full card number and the security code. They go to the payment gateway once, encrypted on the way, and are gone from our memory afterwards."},
		{"Who sees it", "The business that you order from sees your order and whether it was paid. The payment gateway and your bank see the payment. Nobody else does, and nothing is sold or used for advertising."},
		{"In your browser", "Your basket is kept in your own browser for up to twelve hours, so that a reload does not lose it. There is no tracking, and no script of anybody else runs on our pages."},
		{"Your rights", "You may ask the business that you ordered from what is stored about you, and have it corrected. Records of payments are kept as long as the law asks for."},
	})
}

// Terms says what a customer and the provider agree on.
func Terms() Legal {
	return legal("Terms and conditions", []Section{
		{"Who sells", "The business named at the top of the page sells what you order and makes it. Forecourt runs the ordering and payment pages for it."},
		{"Orders and prices", "Prices are in Australian dollars and include GST where it applies. An order counts once it is paid. An order that nobody pays within two hours lapses, and nothing is charged."},
		{"Payments", "You are charged once for an order. When a payment's outcome is not known at once, the page says so and finds out; please do not pay again meanwhile."},
		{"If something is wrong", "Please speak to the business first. It can cancel what was not made and give money back to the card it came from."},
		{"Test mode", "Where a page says test mode, no money moves and nothing is made."},
	})
}

func legal(title string, sections []Section) Legal {
	return Legal{Frame: layout.Site{Title: title, Year: layout.Year}, Title: title, Sections: sections}
}
