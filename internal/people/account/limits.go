package account

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/run/throttle"
)

// Limits limits the guessing of passwords. Only failures count. 0 means the value in DefaultLimits. The tags
// are those of the settings.
type Limits struct {
	SignInAccount int `name:"signin_account" default:"5" help:"failed sign-ins of one account from one network in 15 minutes"`
	SignInAddress int `name:"signin_address" default:"20" help:"failed sign-ins and sign-ups from one network in an hour"`
	SignInOverall int `name:"signin_overall" default:"50"`
}

// DefaultLimits are the limits unless LIMITS says otherwise.
var DefaultLimits = Limits{SignInAccount: 5, SignInAddress: 20, SignInOverall: 50}

// window is how long the failures of one account or browser count. The window begins with the first; whoever has reached the limit waits
// until it ends.
const window = 15 * time.Minute

// These hold for invitations to a dashboard or a team.
const (
	InviteFor        = 7 * 24 * time.Hour // how long its link works
	InviteAgainAfter = 10 * time.Minute   // how soon the same address may be invited again, so that nobody floods a mailbox
)

// codesOverall is how many wrong codes an account may have in an hour from all networks and browsers, known ones too. At any
// moment three of the million codes are right.
const codesOverall = 20

// InvitesPerDay is how many invitations one person may send in a day, to dashboards and teams together.
const InvitesPerDay = 20

// Invitations is the limit of InvitesPerDay. It counts by the inviter's id.
var Invitations = throttle.Limit{Subject: "merchant invitations", Most: InvitesPerDay, Window: 24 * time.Hour}

// These are how many changes may be sent in a day in one session and by one person, far more than anybody makes by hand. They bound what is
// left in the books and in the audit log. Somebody with a copied cookie uses up that session alone.
var (
	changesInSession = throttle.Limit{Subject: "changes in a session", Most: 5_000, Window: 24 * time.Hour}
	changes          = throttle.Limit{Subject: "changes", Most: 20_000, Window: 24 * time.Hour}
)

// Change counts a change that a person sends. Errors: *throttle.Error.
func (a *Accounts) Change(ctx context.Context, p Person) error {
	return a.throttle.TakeAll(ctx, []throttle.Count{
		{Limit: changesInSession, What: p.Session.String()}, {Limit: changes, What: p.ID.String()},
	})
}

// SignUpsPerHour is how many accounts may be made from one network in an hour: enough for a training day, too few to fill the books.
const SignUpsPerHour = 30

// SignUps is the limit of SignUpsPerHour. Accounts made on this machine, by a command, or by an invited person do not count.
var SignUps = throttle.Limit{Subject: "sign-ups", Most: SignUpsPerHour, Window: time.Hour}

// guesses has separate limits for known browsers, so that a stranger's failures hold up only strangers.
type guesses struct {
	account, network, overall throttle.Limit // from unknown browsers
	device, devices           throttle.Limit // from one known browser, and from all that an account has: each sign-in makes one
}

type limits struct {
	guesses         // of passwords
	code    guesses // of the second step, which only somebody with the password reaches; a browser that gave a code is known
	reset   guesses // requests for a link to a new password
}

func newLimits(l Limits) limits {
	each := cmp.Or(l.SignInAccount, DefaultLimits.SignInAccount)
	address := cmp.Or(l.SignInAddress, DefaultLimits.SignInAddress)
	overall := cmp.Or(l.SignInOverall, DefaultLimits.SignInOverall)
	code := newGuesses("code", each, address, min(overall, codesOverall))
	code.devices = code.overall // a single count: browsers that a mailbox or a stolen cookie makes known add no guesses
	// Requests are separate from sign-ins: a network that has used up those can still request links. The window is half as long as a link
	// works, so a mailbox that has reached the limit contains a link that still works.
	reset := newGuesses("reset", each, address, 2*each)
	reset.overall.Window, reset.devices.Window = window, window
	return limits{guesses: newGuesses("sign-in", each, address, overall), code: code, reset: reset}
}

// newGuesses returns limits whose subjects begin with a word: each account or browser in 15 minutes, the others in an hour.
func newGuesses(word string, each, address, overall int) guesses {
	return guesses{
		account: throttle.Limit{Subject: word + " account", Most: each, Window: window},
		network: throttle.Limit{Subject: word + " address", Most: address, Window: time.Hour},
		overall: throttle.Limit{Subject: word + " overall", Most: overall, Window: time.Hour},
		device:  throttle.Limit{Subject: word + " device", Most: each, Window: window},
		devices: throttle.Limit{Subject: word + " devices", Most: overall, Window: time.Hour},
	}
}

// guess returns the counts that a try with such limits uses. device is the entry that makes the browser known, or "" if none does.
func (a *Accounts) guess(l guesses, device, email string, c Credentials) []throttle.Count {
	if device == "" && c.session != uuid.Nil {
		device = "session" // whoever is signed in is no stranger, even without the browser's cookie
	}
	if device != "" {
		return []throttle.Count{{Limit: l.devices, What: email}, {Limit: l.device, What: throttle.Below(email, device)}}
	}
	network := throttle.Network(c.From).String()
	return []throttle.Count{
		{Limit: l.network, What: network}, {Limit: l.overall, What: email}, {Limit: l.account, What: throttle.Below(email, network)},
	}
}

// ResetHelps reports whether a new password gets a person past a limit of SignIn. It does not help with the limit of a network, which may
// hold up requests for a link as well.
func (a *Accounts) ResetHelps(wait *throttle.Error) bool {
	return wait.Subject == a.limits.account.Subject || wait.Subject == a.limits.overall.Subject
}
