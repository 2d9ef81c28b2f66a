package merchant

import "strconv"

// Messages about what was typed.
const (
	ChooseAnswer   = "Choose one of the answers."
	ChooseProduct  = "Choose at least one product."
	TickToEnd      = "Tick the box first: no more than two secrets work at a time."
	EmailInvalid   = "Enter an email address like name@example.com."
	InviteUnproven = "We verify every owner’s identity, and whoever is invited here owns the business. Invite this person to its team " +
		"as a manager; then choose “Change” beside the name to make them an owner."
)

// steps are the parts of onboarding, in order. People who see them already have an account.
var steps = []string{"About you", "Questions", "Products"}

// question is a question in words.
type question struct {
	text, hint string
	answers    map[string]answer
}

type answer struct{ text, hint string }

var questions = map[string]question{
	"kind": {
		"Are you building custom software, or do you need a simple solution?", "", map[string]answer{
			"own":      {"Custom software", "We have developers and want payments inside our own product."},
			"solution": {"A payment solution", "We want to take orders and payments, and program nothing. A café, a bar or a shop answers this."},
		},
	},
	"scope": {
		"Are the payments just for you, or for sub-merchants?", "A sub-merchant is another business that takes payments through your software.",
		map[string]answer{
			"us":           {"Just for us", "All money goes to our own business."},
			"submerchants": {"For sub-merchants", "Businesses that use our software get paid through it."},
		},
	},
	"refer": {
		"Do you refer clients to other businesses?", "", map[string]answer{
			"yes": {"Yes", "We are an agency, a consultant or a reseller, and the money goes to our clients."},
			"no":  {"No", "Our own customers pay us. A café, a bar or a shop answers this."},
		},
	},
	"chain": {
		"Are you a chain or a franchise?", "", map[string]answer{
			"yes": {"Yes", "We have several places under one name. Each gets its own menu here; begin with one."},
			"no":  {"No", "We are one business, such as a single café."},
		},
	},
}

// link is a page that helps.
type link struct{ name, path string }

// product holds the words of a product's card. gives says what somebody who chooses it gets.
type product struct {
	info, gives string
	links       []link
}

var products = map[string]product{
	"api": {
		"Take card payments from your own software with one signed JSON call. Your test account below is " +
			"ready: send the call under it and you have a payment.",
		"For your own software: test credentials, a test gateway and a log of your calls to it.",
		[]link{
			{"Quick start", "/docs/quick-start"}, {"Card payments", "/docs/cards"}, {"API reference", "/docs/api"},
			{"Test cards", "/docs/test-cards"}, {"Errors", "/docs/errors"},
		},
	},
	"tsdk": {
		"Drive a card terminal from your till. A small service on the same computer speaks to the " +
			"terminal; your software speaks JSON to the service.",
		"For your own till software: a service for the card terminal, its documents and a simulated terminal.",
		[]link{{"Terminal SDK", "/docs/terminal"}, {"Terminal demo", "/demo/bridge"}, {"Errors", "/docs/errors"}},
	},
	"ecom": {
		"Send your shop's customers to our payment page, or put the card form into your own page. Card numbers never reach your server.",
		"For a web shop: our payment page, and the documents to connect it. A café without a web shop can untick it.",
		[]link{
			{"Hosted payment page", "/docs/hosted-page"}, {"Notify call", "/docs/notify"}, {"Test cards", "/docs/test-cards"},
			{"Hosted page demo", "/demo/hps"}, {"Key generator", "/demo/keygen"},
		},
	},
	"lbs": {
		"Menus behind QR codes, orders to the table, and pay links to send in a message. You need a " +
			"menu and a printer, and no software of your own.",
		"For a café, bar or shop, this is the one: your own menu with QR codes, a kitchen screen and pay links. " +
			"Nothing to program, so it needs no credentials.",
		[]link{
			{"QR ordering", "/docs/qr-ordering"}, {"Pay links and batches", "/docs/batch"}, {"Test cards", "/docs/test-cards"},
			{"QR code demo", "/demo/qr"},
		},
	},
}

// notes say what to do about each option (ADMIN-31).
var notes = map[string]string{ //nolint:gosec // words about secrets
	"Card Payments":        "One call charges a card. Begin with the example call and the test cards.",
	"Direct Debit/Credit":  "Needs a signed debit agreement. Tell support which account to debit before you go live.",
	"Alternative Payments": "Apple Pay and Google Pay appear on payment pages by themselves where the customer's device has them.",
	"EMV":                  "Chip and contactless cards are read by a certified terminal, never by your software.",
	"iOS":                  "The terminal service runs on the till; an iPad in the same network calls it over HTTPS.",
	"Android":              "Call the terminal service from your app over HTTPS. Keep one payment at a time per terminal.",
	"Windows":              "Install the terminal service beside your till software. It listens on the same computer only.",
	"MacOS":                "Run the terminal service at login. It listens on the same computer only.",
	"Linux SDK":            "One static binary, no other packages. Run it as a service under its own user.",
	"WooCommerce Plugin":   "The plugin asks for your merchant id and the secret for the hosted page. Use the test ones first.",
	"Hosted Payment Pages": "Each payment is signed with a transaction key. Make it on your server; the secret stays there.",
	"Mobile Terminal":      "A web page on your phone, on which a customer pays. It is no card reader: nobody can tap a card on it.",
	"QR Payments":          "A QR code that opens your menu or a payment on the customer's phone. Print it once; what it leads to can change.",
	"Point of Sale":        "Your menu behind a QR code, with a kitchen screen. It is no till: it counts no cash and reads no cards.",
	"Order at Table":       "One code per table. The order arrives in the kitchen with the table's name on it.",
	"Payment Links":        "A link to pay an amount, for a message or an email. Make one by hand, or up to a thousand with one call.",
	"Invoicing":            "A pay link for the invoice that you write. Its reference comes back with the payment. We make no invoices.",
	"Recurring Payments":   "A batch of pay links for each period, with an expiry. Nobody is charged without a tap.",
}

// TooManyInvites says that a person has sent as many invitations as go out in a day.
func TooManyInvites(most int) string {
	return "You have sent " + strconv.Itoa(most) + " invitations today. Send more tomorrow."
}

// TooManyMade says that a person has made as many merchants as one may in 24 hours.
func TooManyMade(most int) string {
	return "You have made " + strconv.Itoa(most) + " businesses within a day. Please make more tomorrow."
}
