package sandbox

import (
	"time"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
)

// manner is how a request is answered, whatever happens to the money.
type manner int

const (
	atOnce      manner = iota
	afterCharge        // when the charge is due
	slowly             // after Options.SlowAnswer, though charged at once
	never              // charged, but not answered while the caller waits
	breaking           // HTTP 500, whatever happened
)

// verdict is the acquirer's decision. late means that it is decided only after Options.LateCharge.
type verdict struct {
	state       state
	manner      manner
	code        string
	description string
	late        bool
	refunds     refundManner // how refunds of it go
	disputed    bool         // the cardholder disputes it at once
}

// refundManner is how refunds of a charge go; "" is at once.
type refundManner string

const (
	refundsDeclined refundManner = "declined"
	refundsPending  refundManner = "pending"  // done after refundDelay
	refundsBreaking refundManner = "breaking" // done, but the first answer is HTTP 500
)

// How late the sandbox is. test-cards.md repeats these times.
const (
	slowAnswer  = 8 * time.Second  // card …0341 answers after it, unless Options.SlowAnswer says otherwise
	lateCharge  = 12 * time.Second // card …0358 is charged after it, unless Options.LateCharge says otherwise
	refundDelay = 3 * time.Second  // how long a pending refund takes
)

// outcomes are the card numbers with a fixed outcome.
var outcomes = map[string]verdict{
	"4111111111111111": {state: approved, description: "Approved"},
	"5555555555554444": {state: approved, description: "Approved"},
	"4000000000000002": {state: declined, code: "05", description: "Do not honour"},
	"4000000000009995": {state: declined, code: "51", description: "Insufficient funds"},
	"4000000000000069": expiredCard,
	"4000000000003220": {state: challenged, description: "3-D Secure needed"},
	"4000000000000119": {state: failed, manner: breaking},
	"4000000000000127": {state: approved, manner: breaking, description: "Approved"},
	"4000000000000259": {state: approved, manner: never, description: "Approved"},
	"4000000000000341": {state: approved, manner: slowly, description: "Approved"},
	"4000000000000358": {state: approved, manner: afterCharge, description: "Approved", late: true},
	"4000000000005126": {state: approved, description: "Approved", refunds: refundsDeclined},
	"4000000000007726": {state: approved, description: "Approved", refunds: refundsPending},
	"4000000000000507": {state: approved, description: "Approved", refunds: refundsBreaking},
	"4000000000002685": {state: approved, description: "Approved", disputed: true},
}

var (
	expiredCard = verdict{state: declined, code: "54", description: "Expired card"}
	badNumber   = verdict{state: declined, code: "14", description: "Invalid card number"}
	badExpiry   = verdict{state: declined, code: "54", description: "Invalid expiry"}
	unlisted    = verdict{state: approved, description: "Approved (no test outcome is listed for this card number)"}
	liveRefused = verdict{state: declined, code: "57", description: "Live payments are not possible here: this is a test gateway"}
	authFailed  = verdict{state: declined, code: "1A", description: "The card holder did not confirm the payment (3-D Secure)"}
)

// judge decides a card payment. It ignores the security code.
func (s *Sandbox) judge(pan, exp string, testMode bool, now time.Time) verdict {
	if !testMode && !s.AllowLive {
		return liveRefused
	}
	return judge(pan, exp, now)
}

// Decide returns the outcome of a test card by its number and expiry: Approved with code 0, Declined, or Unknown of a card that answers
// HTTP 500. Cards that answer late are decided at once, and one that asks for 3-D Secure is declined, since nobody can confirm the payment.
func Decide(pan, exp string, now time.Time) gateway.Answer {
	v := judge(pan, exp, now)
	switch {
	case v.manner == breaking:
		return gateway.Answer{Outcome: gateway.Unknown}
	case v.state == approved:
		return gateway.Answer{Outcome: gateway.Approved, Code: "0", Description: v.description}
	case v.state == challenged:
		v = authFailed
	}
	return gateway.Answer{Outcome: gateway.Declined, Code: v.code, Description: v.description}
}

func judge(pan, exp string, now time.Time) verdict {
	number, numberErr := card.ParseNumber(typed.Digits(pan))
	expiry, expiryErr := typed.ParseExpiry(exp)
	switch {
	case numberErr != nil:
		return badNumber
	case expiryErr != nil:
		return badExpiry
	case expiry.Past(now):
		return expiredCard
	}
	if v, ok := outcomes[number.Reveal()]; ok {
		return v
	}
	return unlisted
}
