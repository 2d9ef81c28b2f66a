package shop

import (
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/fault"
)

// Errors for a person who uses a shop.
var (
	// ErrMissing means that the shop does not exist, or that the person is not on its team. It does not say which.
	ErrMissing = fault.New(fault.NotFound, "no such shop of this person")
	// ErrRole means that the person's role lacks the right.
	ErrRole = fault.New(fault.Forbidden, "the role may not do this")
)

// Person is the person who acts. Email names them in the audit log.
type Person struct {
	ID    uuid.UUID
	Email string
}

// Shop is a place, such as a café, through which a merchant sells.
type Shop struct {
	Code, Name, Tagline string
	Accent              string // "#rrggbb"
	Logo                string // the address of one of its pictures or the name of an asset; "" for none
	Currency, Country   string // ISO 4217, ISO 3166
	TimeZone            string // IANA name
	ABN                 string // grouped; "" without one
	GSTIncluded         bool   // in every price
	Mail                string // gets the shop's receipts; "" for nobody
	Live                bool   // takes real money
	Hours               string // when guests can order, as menu.TidyHours writes it; "" for always
}

// Change is an action of a person on a shop, for the audit log.
type Change struct {
	Action string // such as "shop changed"
	Detail string // the new value, or the person concerned
}

// Subject names a shop in the audit log.
func Subject(code string) string { return "shop " + code }

// LookSubject names a shop in the audit log's lines about staff who looked at its desk.
func LookSubject(code string) string { return "desk " + code }

// LookAgainAfter is how long the pages that refresh themselves count as one look.
const LookAgainAfter = 5 * time.Minute

// StaffLook is one of the provider's staff looking at a page of a shop's desk.
type StaffLook struct {
	No   int64 // in the audit log
	At   time.Time
	Page string // its address below the desk; "" for the first page
}
