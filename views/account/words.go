package account

import (
	"strings"

	"forecourt/views/ui"
)

// Messages about what was typed.
const (
	EmailTaken    = "This email address already has an account. Sign in, or use another address."
	WrongPassword = "That is not your current password."
	CodesLocked   = "We cannot check codes from your app right now, because a key is missing on our " +
		"side. Use a recovery code or a passkey, or write to us."
	WrongRecovery    = "That is not one of your recovery codes, or it was already used."
	TwoStepElsewhere = "This account has two-step sign-in. Sign in on the sign-in page."
	TooLarge         = "That is too long for these fields."
	NotSaved         = "You are signed out, so nothing was saved. Sign in, then fill it in again."
	Busy             = "Many people are signing in right now. Please try again in a moment."
)

// TooManyLinks says how long to wait for another link, in whole minutes.
func TooManyLinks(minutes int) string {
	wait := ui.Count(minutes, "minute")
	if minutes > 90 {
		wait = ui.Count((minutes+59)/60, "hour")
	}
	return "We have already emailed you several links. Check your spam folder, or ask again in " + wait + "."
}

// TooMany says how long to wait after too many failures, in whole minutes, and whether a new password helps sooner.
func TooMany(minutes int, reset bool) string {
	text := "Too many attempts. Please wait " + ui.Count(minutes, "minute") + ", then try again."
	if reset {
		text += " You can also reset your password."
	}
	return text
}

// TooManyAccounts says when a network may make another account, in whole minutes.
func TooManyAccounts(minutes int) string {
	return "Many accounts were made from your network in the last hour. Please create yours " +
		"in " + ui.Count(minutes, "minute") + ", or from another network."
}

// Browser names the browser and system that a User-Agent claims, such as "Chrome on Windows", or returns "Unknown browser".
// The order of the checks matters, because most browsers also claim to be others.
func Browser(agent string) string {
	name := claimed(agent, [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	})
	system := claimed(agent, [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "Mac"}, {"Linux", "Linux"},
	})
	switch {
	case name == "" && system == "":
		return "Unknown browser"
	case name == "":
		return "Browser on " + system
	case system == "":
		return name
	default:
		return name + " on " + system
	}
}

func claimed(agent string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}
