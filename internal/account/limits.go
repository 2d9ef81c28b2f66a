package account

import (
	"cmp"
	"time"

	"forecourt/internal/throttle"
)

// Limits bound the guessing of passwords. Only failures count. 0 takes that of DefaultLimits.
type Limits struct {
	SignInAccount int // failed sign-ins of one account from one network in 15 minutes
	SignInAddress int // failed sign-ins and sign-ups from one network in an hour
	SignInOverall int // failed sign-ins of one account in an hour from all networks
}

// DefaultLimits are the limits unless a setting (LIMIT_SIGNIN_…) says otherwise.
var DefaultLimits = Limits{SignInAccount: 5, SignInAddress: 20, SignInOverall: 50}

// An invitation, to a dashboard or a team.
const (
	InviteFor        = 7 * 24 * time.Hour // how long its link works
	InviteAgainAfter = 10 * time.Minute   // how soon the same address may be invited again, so that nobody floods a mailbox
)

// InvitesPerDay is how many invitations one person may send in a day, to dashboards and teams together.
const InvitesPerDay = 20

// Invitations is that limit. It counts by the inviter's id.
var Invitations = throttle.Limit{Subject: "merchant invitations", Most: InvitesPerDay, Window: 24 * time.Hour}

// limits has separate limits for known browsers, so that a stranger's failures hold up strangers alone.
type limits struct {
	account, network, overall throttle.Limit // sign-ins from unknown browsers
	device, devices           throttle.Limit // sign-ins from one known browser, and from all that an account has
	reset, resetNetwork       throttle.Limit
	resetDevice, resetOverall throttle.Limit
}

func newLimits(l Limits) limits {
	each := cmp.Or(l.SignInAccount, DefaultLimits.SignInAccount)
	address := cmp.Or(l.SignInAddress, DefaultLimits.SignInAddress)
	overall := cmp.Or(l.SignInOverall, DefaultLimits.SignInOverall)
	const window = 15 * time.Minute
	return limits{
		account: throttle.Limit{Subject: "sign-in account", Most: each, Window: window},
		network: throttle.Limit{Subject: "sign-in address", Most: address, Window: time.Hour},
		overall: throttle.Limit{Subject: "sign-in overall", Most: overall, Window: time.Hour},
		device:  throttle.Limit{Subject: "sign-in device", Most: each, Window: window},
		devices: throttle.Limit{Subject: "sign-in devices", Most: overall, Window: time.Hour},
		reset:   throttle.Limit{Subject: "reset account", Most: each, Window: window},
		// Apart from sign-ins: a network that has used those up can still ask for links.
		resetNetwork: throttle.Limit{Subject: "reset address", Most: address, Window: time.Hour},
		resetDevice:  throttle.Limit{Subject: "reset device", Most: each, Window: window},
		// The window is half as long as a link works, so a mailbox beyond the limit holds a link that works.
		resetOverall: throttle.Limit{Subject: "reset overall", Most: 2 * each, Window: window},
	}
}

// signIn returns the counts that an attempt to sign in uses.
func (a *Accounts) signIn(email string, c Credentials) []throttle.Count {
	if device := a.known(c.Device, email); device != "" {
		return []throttle.Count{{Limit: a.limits.device, What: throttle.Below(email, device)}, {Limit: a.limits.devices, What: email}}
	}
	network := throttle.Network(c.From).String()
	return []throttle.Count{
		{Limit: a.limits.account, What: throttle.Below(email, network)}, {Limit: a.limits.network, What: network}, {Limit: a.limits.overall, What: email},
	}
}

// reset returns the counts that a request for a link uses.
func (a *Accounts) reset(email string, c Credentials) []throttle.Count {
	if device := a.known(c.Device, email); device != "" {
		return []throttle.Count{{Limit: a.limits.resetDevice, What: device}}
	}
	network := throttle.Network(c.From).String()
	return []throttle.Count{
		{Limit: a.limits.reset, What: email + " " + network}, {Limit: a.limits.resetNetwork, What: network}, {Limit: a.limits.resetOverall, What: email},
	}
}

// ResetHelps reports whether a new password gets a person past a limit of SignIn. It gets nobody past the limit of a network, where
// requests for a link may be held up as well.
func (a *Accounts) ResetHelps(wait *throttle.Error) bool {
	return wait.Subject == a.limits.account.Subject || wait.Subject == a.limits.overall.Subject
}
