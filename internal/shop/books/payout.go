package books

import (
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
)

// Payout is money that the gateway paid to a shop, as the gateway says, with times in the shop's zone.
type Payout struct {
	db.Payout
	InDoubt bool // it differs from our books, and staff look into it
}

// PayoutLine is one movement in a payout, or one that is still owed. What the shop loses is negative.
type PayoutLine struct {
	No        int    // in its payout
	Reference string // of the movement that is owed
	Kind      state.Movement
	Amount    int64
	Currency  string
	Payment   string // id of the transaction; "" where there is none
	Method    state.Method
	Brand     string
	LastFour  string
	At        time.Time // when the money moved; the zero time if that is not known
	Late      bool      // it should have been in a payout by now
}

// PayoutSum is the sum of the movements of one kind and currency.
type PayoutSum struct {
	Kind     state.Movement
	Count    int
	Amount   int64
	Currency string
	Since    time.Time // the oldest of those that are owed
}

// Money is an amount in minor units of a currency.
type Money struct {
	Minor    int64
	Currency string
}

// Owed is the settled money that is in no payout yet.
type Owed struct {
	Known bool        // the gateway has listed payouts, so what it owes is known
	Sums  []PayoutSum // sorted by currency
}

// Totals returns the amount owed in each currency.
func (o Owed) Totals() (list []Money) {
	for _, s := range o.Sums {
		if last := len(list) - 1; last >= 0 && list[last].Currency == s.Currency {
			list[last].Minor += s.Amount
		} else {
			list = append(list, Money{s.Amount, s.Currency})
		}
	}
	return list
}

// Since returns the time of the oldest movement that is owed, or the zero time.
func (o Owed) Since() (at time.Time) {
	for _, s := range o.Sums {
		if at.IsZero() || s.Since.Before(at) {
			at = s.Since
		}
	}
	return at
}

// Dispute is a payment whose payer asked their bank for the money back. Times are in the shop's zone.
type Dispute struct {
	ID       uuid.UUID // of the attempt that is disputed
	Payment  string    // id of the transaction
	State    state.Dispute
	Amount   int64 // minor units
	Currency string
	Method   state.Method
	Brand    string
	LastFour string
	Test     bool
	Paid     time.Time
	Opened   time.Time
	Due      time.Time // the zero time if the gateway gave no deadline
	Ended    time.Time // the zero time while it is open
}
