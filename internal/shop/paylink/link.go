package paylink

import (
	"time"
)

// Link is a pay link as the desk shows it. The time of something that has not happened is zero.
type Link struct {
	ID          string
	State       LinkState
	Amount      int64 // minor units
	Refunded    int64 // minor units
	Currency    string
	Reference   string // the business's own
	Description string // what the payer reads
	Test        bool   // about test money
	Made        time.Time
	Expires     time.Time
	Opened      time.Time // by the payer, for the first time
	Paid        time.Time
	Ended       time.Time // by the business
	Mailed      time.Time // to PayerMail, for the last time
	PayerMail   string
	ReceiptMail string // gets the business's copy of the receipt; "" for nobody
}

// LinkState is the state of a pay link.
type LinkState string

// The states.
const (
	LinkNew       LinkState = "new"        // nobody has opened it
	LinkOpened    LinkState = "opened"     // the payer has seen it
	LinkPaying    LinkState = "paying"     // a payment is under way
	LinkDeclined  LinkState = "declined"   // the last try was declined; the payer may try again
	LinkPaid      LinkState = "paid"       // money moved
	LinkRefunded  LinkState = "refunded"   // all of it was refunded
	LinkExpired   LinkState = "expired"    // its time is over
	LinkEnded     LinkState = "ended"      // the business ended it
	LinkClosed    LinkState = "closed"     // nobody knows whether it was charged, so nobody can pay it any more
	LinkOtherMode LinkState = "other mode" // the shop has changed between test and live
)

// Open reports whether the link can still be ended: it can be paid, now or once the shop is back in the link's mode.
func (l Link) Open() bool {
	return l.State == LinkNew || l.State == LinkOpened || l.State == LinkDeclined || l.State == LinkOtherMode
}

// Payable reports whether the link is worth sharing.
func (l Link) Payable() bool { return l.Open() && l.State != LinkOtherMode }

// The kinds of links that a list can show.
const (
	AllLinks   = ""
	OpenLinks  = "open"
	PaidLinks  = "paid"
	EndedLinks = "ended" // also expired and closed
)
