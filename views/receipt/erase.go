package receipt

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/pay/receipt"
	"forecourt/views/ui"
)

// Erase is the page on which a payer has their details removed.
type Erase struct {
	receipt.Receipt

	Frame    ui.Customer
	Path     string // of the receipt
	Support  string
	To       []Again       // to whom a link can be sent
	Code     string        // of the mailed link that was opened; "" for none
	Asked    string        // masked address to which a link was just sent
	WorksFor time.Duration // how long that link works
	Going    bool          // erasing has begun
	Notice   string
}

// StillMoving says why nothing was erased.
const StillMoving = "A payment, refund or dispute is still under way. Please come back when it is " +
	"done: until then we have to be able to reach you."

// StaleErase says that a mailed link is too old; one works for worksFor.
func StaleErase(worksFor time.Duration) string {
	return "This link no longer works. A link works for " + clock.Spelled(worksFor) + "; you can ask for another one."
}
