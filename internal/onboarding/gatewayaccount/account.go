// Package gatewayaccount stores the accounts at the gateway through which wallets pay businesses: a merchant id and a paylink
// password, for test mode and for live payments. An account is tried at the gateway before it is stored, and its password is sealed.
package gatewayaccount

import (
	"crypto/rand"
	"math/big"
	"regexp"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
)

// The limits of a password, in characters.
const minPassword, maxPassword = 8, 200

// These errors say why an account is not stored.
var (
	ErrShop = fault.New(fault.NotFound, "no such business")
	// ErrRefused means that the gateway does not know the account, or does not accept it in this mode.
	ErrRefused = fault.New(fault.Conflict, "the gateway does not accept this account in this mode; nothing was changed")
	// ErrAway means that the gateway did not answer, so the account could not be tried.
	ErrAway = fault.New(fault.Unavailable, "the gateway did not answer, so the account could not be tried; nothing was changed")
	// ErrNone means that the business has no account for this mode.
	ErrNone = fault.New(fault.NotFound, "no gateway account for this mode")
	// ErrSealed means that the password was sealed with another secret of the program.
	ErrSealed = fault.New(fault.Conflict, "the password was sealed with another FORECOURT_SECRET; set the account again")
)

// Account is an account at the gateway.
type Account struct {
	MID      string // the public paylink key
	Password secret.Text
}

// Kept is a business's account as it may be shown, which is never in full.
type Kept struct {
	Live  bool       `json:"-"`
	End   string     `json:"end"`   // the last four characters of the merchant id
	SetBy string     `json:"setBy"` // who entered it: an email, or "" for one that an earlier version of the program wrote
	SetAt time.Time  `json:"setAt"`
	Tried *time.Time `json:"tried"` // when the gateway last accepted it; nil for never
}

var midForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{3,63}$`)

// Check returns what is wrong with an account that no gateway can have, by the fields mid and password.
func (a Account) Check() fault.Problems {
	problems := fault.Problems{}
	if !midForm.MatchString(a.MID) {
		problems["mid"] = "Use 4 to 64 letters, digits and . _ -"
	} else if text := a.Password.Reveal(); len(text) < minPassword || !printable.Line(text, maxPassword) {
		problems["password"] = "Use 8 to 200 printable characters"
	}
	return problems
}

// Generate makes an account for a gateway that opens one by its first use, as the sandbox does.
func Generate() Account {
	number, err := rand.Int(rand.Reader, big.NewInt(9_000_000_000))
	if err != nil {
		panic(err) // never fails
	}
	return Account{MID: "FC" + number.Add(number, big.NewInt(1_000_000_000)).String(), Password: secret.New(rand.Text())}
}

// End returns the part of a merchant id that may be shown.
func End(mid string) string { return mid[max(0, len(mid)-4):] }

// State says whether a business has an account for live payments.
type State string

// The states.
const (
	Missing   State = "missing"
	Connected State = "connected"
)
