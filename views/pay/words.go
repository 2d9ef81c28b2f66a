package pay

import (
	"cmp"
	"fmt"

	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
)

// gatewayAway is shown before a card is typed.
const gatewayAway = "Card payments are not reaching the bank at the moment. You can still try: a " +
	"payment that does not get through is not charged."

// ProblemText says what is wrong with a field (name card exp cvc email) of the card form.
func ProblemText(field string, problem card.Problem) string {
	text, ok := Problems()[field+" "+string(problem)]
	if !ok {
		return "Please check this field"
	}
	return text
}

// Problems are the words for what is wrong with a card, by field and problem. The browser gets them with the form, and /api/pay answers
// with them.
func Problems() map[string]string {
	return map[string]string{
		"name missing":  "Enter the name on the card",
		"name too long": "Use at most 100 characters for the name",
		"name bad":      "Enter the name as it is on the card",
		"card missing":  "Enter the card number",
		"card bad":      "A card number has 12 to 20 digits",
		"card checksum": "That is not a valid card number",
		"exp missing":   "Enter the expiry date",
		"exp bad":       "Enter the expiry date as MM/YY",
		"exp past":      "This card has expired: check the expiry date",
		"cvc missing":   "Enter the CVC",
		"cvc bad":       "The CVC has 3 or 4 digits",
		"email bad":     "Invalid email",
	}
}

// SoldOut says that an order cannot be paid because part of it is sold out.
func SoldOut(names []string) string {
	return soldOut(names) + " Please order again without it."
}

// soldOut says what becomes of an order whose items sold out.
func soldOut(names []string) string {
	return printable.List(names) + " sold out in the meantime, so this order cannot be paid. Nothing was charged."
}

// reason says why a payment failed.
func reason(p Page) string {
	switch {
	case p.Returned:
		return "This payment did not go through. Any money taken has been refunded."
	case p.AttemptState == state.AttemptNotCharged:
		return "The payment did not reach your bank, so nothing is wrong with your card."
	case p.ErrorMsg == "":
		return ""
	}
	return cmp.Or(map[string]string{
		"51": "There is not enough money on this card.",
		"54": "This card has expired.",
		"1A": "You did not confirm this payment with your bank.",
	}[p.Code], "Your bank declined the card.")
}

// bankSaid is the bank's own reason, which banks word for other banks.
func bankSaid(p Page) string {
	if p.Returned || p.AttemptState == state.AttemptNotCharged || p.ErrorMsg == "" {
		return ""
	}
	return "Reason: " + printable.Isolated(p.ErrorMsg)
}

// leftOut names the items of an order that are not chosen again.
func leftOut(names []string) string {
	if len(names) == 1 {
		return printable.List(names) + " cannot be ordered right now and is left out."
	}
	return printable.List(names) + " cannot be ordered right now and are left out."
}

// Title returns the page's part of its tab's title, which guests see while they look at another tab.
func Title(p Page) string {
	switch p.State {
	case Success:
		return "Paid"
	case Status:
		for _, at := range p.Places {
			if at.Done {
				return "✓ Ready: " + printable.Isolated(at.Name)
			}
		}
		return "Being made"
	case Completed:
		if len(p.Lines) > 0 {
			return "✓ Ready"
		}
		return "Paid"
	case Failure:
		return "Payment unsuccessful"
	default:
		return "Payment"
	}
}

// Restored says that a restore has closed the payment: the gateway may still charge for an earlier one.
const Restored = "This cannot be paid right now, and nothing was charged just now. If you have already paid it, " +
	"do not pay again. Please ask the business, or try again later."

// Paused says that no kitchen takes orders.
const Paused = "The kitchen is not taking orders right now, so nothing was charged. Please try again in a few minutes, or ask the staff."

// Unconfirmed says that a transaction cannot be paid any more because an earlier attempt may have been charged.
const Unconfirmed = "Nobody could confirm whether an earlier payment of this was charged, so it is closed and cannot be paid again. " +
	"If your statement shows a charge, contact the business: you will get it back."

// OtherMode says that a business has changed between test and live since it asked for a payment.
const OtherMode = "This cannot be paid just now: the business has switched between test and live payments since. Nothing was charged."

// UsedForm says that a form which is posted again belongs to a failed payment.
const UsedForm = "That form was used before, and its payment did not go through. Nothing was charged. Please pay with this one."

// TooMany says when a payer may try again after too many declines, or while too many payments are still being checked.
func TooMany(w *payment.LimitError) string {
	if w.Checking {
		return "Several payments are still being checked. Nothing was charged for this one. Please wait a minute."
	}
	when := "in a minute"
	if minutes := int(w.After.Minutes()) + 1; minutes > 1 {
		when = fmt.Sprintf("in %d minutes", minutes)
	}
	if w.Card {
		return "This card was declined too often. Nothing was charged. Please pay with another card, or try this one again " + when + "."
	}
	return "Too many payments were declined. Nothing was charged. Please try again " + when + "."
}

// NoWallet refuses a wallet payment where no wallet was offered.
const NoWallet = "This payment cannot be made by wallet. Please pay by card."

// ReadyWords are the title and text of a message that part or all of an order is ready.
func ReadyWords(business, loc, table, name string, all bool) (title, text string) {
	title = loc + ": ready"
	if all {
		title = "Your order is ready"
	}
	switch {
	case table != "":
		text = business + ", table " + table
	case name != "":
		text = business + ", for " + name
	default:
		text = business
	}
	return title, text
}

// Describe returns a sentence about a payment to a business, which is shown below the page's title where somebody shares its address.
func Describe(business string) string {
	return "Pay " + business + " by card or wallet, and follow the payment."
}
