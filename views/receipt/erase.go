package receipt

import "forecourt/views/layout"

// Erase is the page on which a payer has their details removed.
type Erase struct {
	Frame                          layout.Customer
	Path                           string // of the receipt
	Business, Support, Transaction string
	To                             []Again // to whom a link can be sent
	Code                           string  // of the mailed link that was opened; "" for none
	Asked                          string  // masked address to which a link was just sent
	Test, Going, Erased            bool
	Notice                         string
}

// These messages say why nothing was erased.
const (
	StillMoving = "A payment, refund or dispute is still under way. Please come back when it is done: until then we have to be able to reach you."
	StaleErase  = "This link no longer works. A link works for two days; you can ask for another one."
)
