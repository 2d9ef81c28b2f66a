package account

import (
	"time"

	"forecourt/views/ui"
)

// Data is the page on which people get a copy of their data, and erase their account.
type Data struct {
	Email, Notice string
	Kept          bool // the erasure was just cancelled
	EraseAfter    time.Duration
	Held          []string // why the account cannot be erased yet
	Due           string   // when it is erased; "" if that is not ordered
	Typed         ui.Field // the address, to be sure
}

// TypedField takes the account's address.
func TypedField() ui.Field {
	return ui.Field{
		ID: "typed", Name: "typed", Label: "Your email address, to be sure", Type: "email",
		Autocomplete: "off", InputMode: "email", EnterKeyHint: "go", Required: true,
	}
}

// These are the problems on the page of the data.
const (
	OtherAddress  = "Enter this account’s email address"
	TooManyCopies = "You can take three copies in a day. Please come back tomorrow."
)

// HeldWords says why an account cannot be erased yet, and what to do about it.
func HeldWords(kind, what string) string {
	switch kind {
	case "staff":
		return "You are a member of staff. Ask a colleague to remove you first, so that somebody remains responsible for your decisions."
	case "owner":
		return what + " has no other owner. Make somebody else an owner on its team page first."
	case "known":
		return "We have verified no other owner of " + what + ". Have us verify one first, on their page of the team."
	case "mail":
		return "The receipts of " + what + " go to your address. Change it in its details first."
	case "form":
		return "Form " + what + " waits for a decision. Once it is decided you can erase the account."
	case "identity":
		return "The identity check of " + what + " waits for a decision. The law requires us to finish " +
			"it. Once it is decided you can erase the account."
	case "golive":
		return "Going live of " + what + " waits for a decision. Once it is decided you can erase the account."
	case "demo":
		return "Everybody who tries the demo uses this account."
	}
	return "Something in the account has to be finished first."
}
