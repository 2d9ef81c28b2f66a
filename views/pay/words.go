package pay

import (
	"fmt"
	"strings"
	"time"

	"forecourt/internal/card"
)

// gatewayAway is shown before a card is typed.
const gatewayAway = "Card payments are not reaching the bank at the moment. You can still try: a payment that does not get through is not charged."

// ProblemText says what is wrong with a field (name card exp cvc email) of the card form.
func ProblemText(field string, problem card.Problem) string {
	text, ok := Problems()[field+" "+string(problem)]
	if !ok {
		return "Please check this field"
	}
	return text
}

// Problems are the words for what is wrong with a card, by field and problem. The browser gets them with the form.
func Problems() map[string]string {
	return map[string]string{
		"name missing":  "Enter the name on the card",
		"name too long": "Use at most 100 characters for the name",
		"name bad":      "Enter the name as it is on the card",
		"card missing":  "Enter the card number",
		"card bad":      "A card number has 12 to 20 digits",
		"card checksum": "That is not a valid card number. Please check the digits",
		"exp missing":   "Enter the expiry date",
		"exp bad":       "Enter the expiry date as MM/YY",
		"exp past":      "This card has expired",
		"cvc missing":   "Enter the CVC",
		"cvc bad":       "The CVC has 3 or 4 digits",
		"email bad":     "Invalid email",
	}
}

// SoldOut says that an order cannot be paid because part of it is sold out.
func SoldOut(names []string) string {
	return strings.Join(names, ", ") + " sold out in the meantime, so this order cannot be paid. Nothing was charged. Please order again without it."
}

// Restored says that a restore has closed the payment: the gateway may still charge for an earlier one.
const Restored = "This cannot be paid right now, and nothing was charged just now. If you have already paid it, do not pay again. Please ask the business, or try again later."

// Paused says that no kitchen takes orders.
const Paused = "The kitchen is not taking orders right now, so nothing was charged. Please try again in a few minutes, or ask the staff."

// OtherMode says that a business has changed between test and live since it asked for a payment.
const OtherMode = "This cannot be paid just now: the business has switched between test and live payments since. Nothing was charged."

// UsedForm says that a form which is posted again belongs to a failed payment.
const UsedForm = "That form was used before, and its payment did not go through. Nothing was charged. Please pay with this one."

// TooMany says when a payer may try again after too many declines, or while too many payments are still being checked.
func TooMany(after time.Duration, checking bool) string {
	if checking {
		return "Several payments are still being checked. Nothing was charged for this one. Please wait a minute."
	}
	if minutes := int(after.Minutes()) + 1; minutes > 1 {
		return fmt.Sprintf("Too many payments were declined. Nothing was charged. Please try again in %d minutes.", minutes)
	}
	return "Too many payments were declined. Nothing was charged. Please try again in a minute."
}

// NoWallet refuses a wallet payment where no wallet was offered.
const NoWallet = "This payment cannot be made by wallet. Please pay by card."

// AppleDeclined is what a declined Apple Pay payment says, letter for letter (WALLET-26).
const AppleDeclined = "Transaction Declined.Please try again.."

// WalletProblemText says what is wrong with a wallet's data.
func WalletProblemText(problem card.WalletProblem) string {
	text, ok := map[card.WalletProblem]string{
		card.WalletUnknown: "The wallet has to be gpay or apple.",
		card.WalletEmpty:   "The wallet sent nothing to pay with. Nothing was charged.",
		card.WalletEmail:   "Please enter a valid email address.",
		card.WalletAddress: "The shipping address is not valid.",
	}[problem]
	if !ok {
		return "The wallet's payment is not valid."
	}
	return text
}

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
