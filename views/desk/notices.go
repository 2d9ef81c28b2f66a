package desk

import (
	"strconv"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/notice"
	"forecourt/views/ui"
)

// Notices is the page on which a member chooses notifications.
type Notices struct {
	Frame    ui.Desk
	Kinds    []notice.Kind // that the reader can hear of
	Choices  map[notice.Kind]notice.Choice
	Mail     string // where letters go
	Verified bool   // letters go to verified addresses only
	// Project and Key are what browsers register with; "" while push is off.
	Project, Key string
	Browsers     int // in which the person gets messages
	Done         string
	Problem      string
}

// The fields of the form.
const (
	MailField = "letter"
	PushField = "push"
)

// noticeKinds are the kinds in words.
var noticeKinds = map[notice.Kind]struct{ name, hint string }{
	notice.Summary: {
		"Summary of the day", "Each morning: what was taken and refunded the day before. There is none after a day without payments.",
	},
	notice.OrderUnseen:  {"An order waits unseen", "A guest paid for an order while no kitchen screen was open. At most once an hour."},
	notice.RefundFailed: {"A refund failed", "The bank declined a refund, so the payer has not received the money."},
	notice.Dispute:      {"A dispute begins or ends", "A cardholder asked their bank for the money back, or the bank has decided."},
	notice.Payout:       {"A payout", "Money is on its way to the business’s bank account."},
	notice.RefundLarge:  {"A large refund", "Somebody requested a refund above the limit of managers."},
	notice.RefundAsked:  {"Somebody needs an owner for a refund", "It is more than their role may refund."},
}

// browsers says in how many browsers the person gets messages.
func (m Notices) browsers() string {
	if m.Browsers == 0 {
		return "Notifications are not on in any browser yet."
	}
	return "Notifications are on in " + ui.Count(m.Browsers, "browser") + "."
}

// NoticeText is what a letter or a message says about events.
type NoticeText struct{ Title, Text string }

// noticeTexts say what happened: to one thing, {amount} being its amount, or to several, {n} being how many.
var noticeTexts = map[state.Event]struct{ one, more NoticeText }{
	state.EventOrderUnseen: {
		NoticeText{"No kitchen screen is open, and an order of {amount} is paid", openKitchen},
		NoticeText{"No kitchen screen is open, and orders are paid", openKitchen},
	},
	state.EventRefundFailed: {
		NoticeText{
			"A refund of {amount} failed",
			"The bank declined it, and the payer has not received the money. You can try again on the page of the payment.",
		},
		NoticeText{
			"{n} refunds failed", "The bank declined them, and the payers have not got the money. You can try again on the page of each payment.",
		},
	},
	state.EventRefundLarge: {
		NoticeText{
			"A refund of {amount} was requested",
			"It is more than managers may refund. The page of the payment says who requested it, and why.",
		},
		NoticeText{
			"{n} large refunds were requested", "Each is more than managers may refund. The page of each payment says who requested it, and why.",
		},
	},
	state.EventRefundAsked: {
		NoticeText{
			"You are asked to refund {amount}", "It is more than the person who asks may refund. Nothing is refunded until an owner does it.",
		},
		NoticeText{
			"You are asked for {n} refunds", "Each is more than the person who asks may refund. Nothing is refunded until an owner does it.",
		},
	},
	state.EventPayoutPaid: {
		NoticeText{"A payout of {amount}", "The money is on its way to the business’s bank account."},
		NoticeText{"{n} payouts", "The money is on its way to the business’s bank account."},
	},
	state.EventDisputeWon: {
		NoticeText{"You won the dispute about {amount}", "The payer’s bank decided for the business. The money stays."}, disputes,
	},
	state.EventDisputeLost: {NoticeText{
		"You lost the dispute about {amount}", "The payer’s bank decided for the payer. The amount is deducted from one of the next payouts.",
	}, disputes},
	state.EventDisputeOpened: {NoticeText{
		"A payment of {amount} is disputed",
		"The cardholder asked their bank for the money back. The page of the payment says when you have to " +
			"answer. Do not refund it: the money would go back twice.",
	}, disputes},
}

const openKitchen = "Open the kitchen screen, or let ordering pause by itself while none is open."

var disputes = NoticeText{
	"{n} disputes were opened or decided",
	"See Disputes for what each one needs. Do not refund a disputed payment: the money would go back twice.",
}

// NoticeWords says that count events of a kind happened. amount is the amount of a single event.
func NoticeWords(kind state.Event, count int, amount string) NoticeText {
	words := noticeTexts[kind].more
	if count == 1 {
		words = noticeTexts[kind].one
	}
	words.Title = strings.NewReplacer("{amount}", amount, "{n}", strconv.Itoa(count)).Replace(words.Title)
	return words
}

// SummaryWords returns the message about a day (2026-11-22).
func SummaryWords(day string, payments int, taken string, refunds int, refunded string) NoticeText {
	title := taken + " taken on " + day
	if date, err := time.Parse(time.DateOnly, day); err == nil {
		title = taken + " taken on " + date.Format("Monday 2 January")
	}
	text := ui.Count(payments, "payment") + "."
	if refunds > 0 {
		text = ui.Count(payments, "payment") + ", and " + ui.Count(refunds, "refund") + " of " + refunded + "."
	}
	return NoticeText{title, text}
}

// Amounts prints amounts in several currencies: "$11.00 and 5.00 GBP". It leaves out zero amounts.
func Amounts(list []books.Money) string {
	var labels []string
	for _, m := range list {
		if m.Minor != 0 {
			labels = append(labels, money.Label(m.Minor, m.Currency))
		}
	}
	if len(labels) == 0 {
		return money.Label(0, list[0].Currency)
	}
	return strings.Join(labels, " and ")
}
