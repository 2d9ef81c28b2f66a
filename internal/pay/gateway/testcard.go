package gateway

// TestOutcome is what becomes of a test card that is charged at once, without a ledger.
type TestOutcome struct {
	Approved bool
	// Broken is true for the cards that answer HTTP 500.
	Broken            bool
	Code, Description string // as a card response has them; Code is "0" for approved
}
