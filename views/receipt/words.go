package receipt

import (
	"fmt"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/card"
)

// Unreadable answers a code that cannot be valid.
const Unreadable = "That is not the whole code of a receipt. Copy all of it, or scan the QR code"

// UnreadableFile answers a file that is not the file of a closing, whole and unchanged.
const UnreadableFile = "That is not the file of an end of day as it was downloaded. Choose the file without changes, or paste all of it"

// what names what was checked.
func (r Result) what() string {
	if r.Closing {
		return "end of day"
	}
	return "receipt"
}

// NoCode answers a form that was sent empty.
const NoCode = "Enter the code of a receipt"

// TooOften says when another copy can be sent.
func TooOften(after time.Duration) string {
	minutes := int(after.Minutes()) + 1
	if minutes == 1 {
		return "This receipt was sent several times. Please try again in a minute."
	}
	return fmt.Sprintf("This receipt was sent several times. Please try again in %d minutes.", minutes)
}

// TooManyLetters says that an address or a network has to wait.
const TooManyLetters = "Several receipts were sent from here or to this address. Please try again later. This page stays here to keep."

// CardText names the means of payment; brand is as package card names it.
func CardText(method state.Method, brand, lastFour string) string {
	name := card.BrandName(brand)
	if name == "" {
		name = map[state.Method]string{state.GooglePay: "Google Pay", state.ApplePay: "Apple Pay"}[method]
	}
	if name == "" {
		name = "Card"
	}
	if lastFour == "" {
		return name
	}
	return name + " ending in " + lastFour
}
