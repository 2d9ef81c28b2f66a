package account

import (
	"cmp"
	"strconv"
	"time"

	"forecourt/internal/people/account"
)

// Security is the security log of an account.
type Security struct {
	Email  string
	Events []account.Event // newest first
	Zone   *time.Location  // of the person
	Older  bool            // not the newest
	Next   string          // address of older ones; "" for none
}

// eventWords describes a kind of event to the owner of the account.
func eventWords(e account.Event) string {
	words := cmp.Or(events[e.Kind], e.Kind)
	if e.Count > 1 {
		words += ", " + strconv.Itoa(int(e.Count)) + " times within the hour"
	}
	return words
}

var events = map[string]string{
	"signed in":                      "Signed in with the password",
	"signed in with a code":          "Signed in with the password and a code from the app",
	"signed in with a recovery code": "Signed in with the password and a recovery code",
	"signed in with a passkey":       "Signed in with a passkey",
	"confirmed":                      "Confirmed again before an important change",
	"wrong password":                 "A wrong password was entered",
	"no code":                        "The right password was entered, but no code",
	"wrong code":                     "The right password was entered, then a wrong code",
	"password changed":               "Password changed on the account page",
	"password set by a mailed link":  "New password chosen through an emailed link",
	"password given by an operator":  "New password set by our staff",
	"two-step sign-in set up":        "Two-step sign-in turned on",
	"two-step sign-in moved":         "Two-step sign-in moved to another app",
	"two-step sign-in removed":       "Two-step sign-in turned off",
	"recovery code used":             "A recovery code was used",
	"recovery codes replaced":        "New recovery codes made; the old ones ended",
	"passkey added":                  "Passkey added",
	"passkey removed":                "Passkey removed",
	"passkey refused":                "A passkey was refused, because a copy of it may be in use",
	"data copied":                    "Copy of your data downloaded",
	"erasure ordered":                "Erasure of the account requested",
	"erasure taken back":             "Erasure of the account cancelled",
	"added to the staff":             "Added to our staff",
	"removed from the staff":         "Removed from our staff",
	"unused as staff":                "No longer one of our staff, after 90 days without a sign-in",
}

// from says where an event came from.
func from(e account.Event) string {
	switch {
	case e.Agent != "" && e.Address != "":
		return ", " + Browser(e.Agent) + " at " + e.Address
	case e.Address != "":
		return ", from " + e.Address
	default:
		return ""
	}
}
