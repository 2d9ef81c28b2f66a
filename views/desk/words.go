// Package desk renders a business's desk, the pages that its team works with.
package desk

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
	"forecourt/views/ui"
)

var roles = map[shop.Role]string{
	shop.Owner: "Owner", shop.Manager: "Manager", shop.Floor: "Floor staff", shop.Viewer: "Viewer",
	shop.Accountant: "Accountant",
}

// RoleName returns the name of a role.
func RoleName(role shop.Role) string { return roles[role] }

// stepWords are the title of a step and its text at each stage before it is done. A step that can be opened has an action.
type stepWords struct {
	title        string
	next         string
	wait, later  string
	action, view string // the link's words before and after it is done
}

var steps = map[golive.Step]stepWords{
	golive.StepShop: {title: "Business details", view: "Change"},
	golive.StepMenu: {
		title: "Menu", next: "Add what you sell, and publish it.",
		action: "Make your menu", view: "Open",
	},
	golive.StepTables: {
		title:  "Tables (optional)",
		next:   "List your tables, so that orders arrive with the table's name. You can go live without tables: guests then give a name.",
		action: "Add tables", view: "Change",
	},
	golive.StepTestOrder: {
		title: "Test order",
		next: "Order as a guest would and pay with 4111 1111 1111 1111, any expiry in the future and " +
			"any CVC. The order is then ticked off here.",
		later: "Opens once your menu has something to order.", action: "Order something", view: "Order again",
	},
	golive.StepApplication: {
		title: "Application",
		next:  "Tell us about the company behind the business. It takes about five minutes, and your answers are saved as you go.",
		wait:  "We have your application. Open it to see its status.", action: "Open the application", view: "See it",
	},
	golive.StepAgreement: {
		title: "Agreement", next: "Sign the merchant agreement, which names your fees, and the direct debit agreement.",
		later: "Opens once we have accepted your application.", action: "Read and sign", view: "See it",
	},
	golive.StepAccount: {
		title: "Bank account", next: "Say which account your payouts go to.",
		wait: "We are passing your account on to the bank that pays you.", action: "Say which account", view: "See it",
	},
	golive.StepIdentity: {
		title: "Proof of identity", next: "Each person behind the business proves their identity.",
		later: "Opens once we have accepted your application.", action: "Prove your identity", view: "See it",
	},
	golive.StepOwners: {
		title: "Owners", next: "We verify the identity of every owner of a live business. ",
		action: "Open the team",
	},
	golive.StepGateway: {
		title: "Account for your payments",
		wait:  "Our staff are connecting the account that your payments go to. It is needed to go live; you have nothing to do.",
		later: "Our staff connect the account that your payments go to, once your application is accepted. It is needed to go live.",
	},
	golive.StepAddresses: {
		title: "Email addresses", next: "Everybody on the team of a live business has a confirmed email address. ",
		action: "See the team",
	},
	golive.StepTwoStep: {
		title: "Two-step sign-in", next: "Every owner of a live business signs in with a password and a code. ",
		action: "Set it up",
	},
	golive.StepLive: {
		title: "Go live", next: "Everything is ready. Ask us to take you live.",
		wait: "We have your request and are reviewing it.", later: "Opens once everything above is done.", action: "Go live", view: "See it",
	},
}

// StepTitle returns the name of a step.
func StepTitle(step golive.Step) string { return steps[step].title }

// nextLive is what an owner can do about going live at each state of the request.
var nextLive = map[golive.RequestState]string{
	golive.NotAsked: steps[golive.StepLive].next,
	golive.Returned: "We need a little more before you go live. The page says what.",
	golive.Approved: "We approved your request. Switch to real payments when you are ready.",
}

// ItemOf returns a step of the checklist with its words. url is its page, or "" for none; reader is the reader's email address.
func ItemOf(p golive.Progress, item golive.Item, url, reader string) Item {
	w := steps[item.Step]
	one := Item{Item: item, Title: w.title, URL: url, Action: w.action}
	switch item.Stage {
	case golive.Done:
		one.Action = w.view
	case golive.Next:
		one.Text = w.next
		switch item.Step {
		case golive.StepApplication:
			switch {
			case p.Application == form.Returned:
				one.Text, one.Action = "We read your application and have a question. It goes on once you answer.", "Answer it"
			case slices.Contains(p.Usable, reader):
				one.Text, one.Action = "We accepted an application of yours. If the same company runs this business, it needs no other.", "Use it"
			case len(p.Usable) > 0:
				one.Action = "See how"
				one.Text = "We accepted an application of " + strings.Join(p.Usable, ", ") +
					". If the same company runs this business, they can use it here."
			}
		case golive.StepAgreement, golive.StepIdentity:
			if url == "" && len(p.Runners) > 0 {
				one.Text += " Only " + strings.Join(p.Runners, ", ") + " can open this step."
			}
		case golive.StepOwners:
			one.Text += lacking(p.Unknown, reader, "You still have to be verified", ", and so do these: ", "These still have to be verified: ")
		case golive.StepAddresses:
			one.Text += lacking(p.Unverified, reader, "Yours is not confirmed yet", ", nor are these: ", "These are not confirmed yet: ")
		case golive.StepTwoStep:
			one.Text += lacking(p.Unsecured, reader, "You have not set it up yet", ", nor have these: ", "These have not set it up yet: ")
		case golive.StepLive:
			one.Text = nextLive[p.Request]
		}
	case golive.Waiting:
		one.Text, one.Action = w.wait, w.view
	case golive.Later:
		one.Text, one.URL = w.later, ""
	}
	if one.Action == "" {
		one.URL = ""
	}
	return one
}

// lacking names the people who hold up a step: the reader as "you", the others by their addresses.
func lacking(people []string, reader, you, also, these string) string {
	others := slices.DeleteFunc(slices.Clone(people), func(one string) bool { return one == reader })
	switch list := strings.Join(others, ", "); {
	case len(others) == len(people):
		return these + list
	case list == "":
		return you + "."
	default:
		return you + also + list
	}
}

// ChecklistFragment is the fragment that htmx refreshes until the first test order is paid.
const ChecklistFragment = "checklist"

// Pages leads through the pages of a list.
type Pages struct {
	First   string // address of the first page
	Next    string // address of the next page; "" on the last
	Further bool   // not the first page
}

// PaymentURL returns the address of a payment on a desk.
func PaymentURL(frame ui.Desk, id string) string {
	return frame.At("payments/" + url.PathEscape(id))
}

// PayoutURL returns the address of a payout on a desk.
func PayoutURL(frame ui.Desk, number int64) string {
	return frame.At("payouts/" + strconv.FormatInt(number, 10))
}

// Home is the first page of a desk.
type Home struct {
	Items   []Item
	Waits   bool // the page refreshes itself until the first test order is paid
	MenuURL string
	Confirm string // the reader's address, if it is not confirmed
	Today   *Today // nil before the first payment
}

// head is the top of the first page.
func (h Home) head(f ui.Desk) ui.Head {
	head := ui.Head{Title: "Get ready to take payments", Lead: tryIt}
	if h.Today != nil {
		head = h.Today.head()
		head.Actions = seeMenu(h.MenuURL)
	}
	if f.EverLive && !f.Live {
		head.Lead = "You are back in test mode: new orders are not charged. Your real payments stay here, with what is owed or open."
	}
	return head
}

const tryIt = "Until you go live, everything runs in test mode: try it as often as you like, nothing is charged."

// next is the first step that can be done now.
func (h Home) next() (next Item) {
	for _, item := range h.Items {
		if item.First {
			next = item
		}
	}
	return next
}

// needed lists the steps that going live needs: those that are done, or the others.
func needed(items []Item, done bool) []Item {
	return slices.DeleteFunc(slices.Clone(items), func(one Item) bool { return (one.Stage == golive.Done) != done || !one.Step.Needed() })
}

// Item is a line of the checklist.
type Item struct {
	golive.Item

	Title, Text string
	Action, URL string // the link's text and address; no link without URL
	First       bool   // the first step that can be done now
}
