package gateway

// Outcome is what an answer means for the money.
type Outcome string

const (
	// Approved is final.
	Approved Outcome = "approved"
	// Declined is final.
	Declined Outcome = "declined"
	// NotCharged is final: nothing was sent, or the gateway will always refuse the reference.
	NotCharged Outcome = "not_charged"
	// Redirected means that the customer has to go to the bank's page (3-D Secure) at Answer.Redirect.
	Redirected Outcome = "redirected"
	// Pending means that the gateway has the payment and does not know the outcome yet.
	Pending Outcome = "pending"
	// NeverArrived is Look's answer for a reference that the gateway has not seen. It may still arrive.
	NeverArrived Outcome = "never_arrived"
	// Mismatch is an answer about another amount, currency or reference. A person has to look at it.
	Mismatch Outcome = "mismatch"
	// Unknown is everything else. The payment may have been charged and has to be resolved.
	Unknown Outcome = "unknown"
)

// Answer is what the gateway said about one reference. Response is set if the gateway sent a card response about it, whatever its outcome.
// Err says, for the log, why an outcome is neither approved nor declined. Neither quotes a card number.
type Answer struct {
	Outcome Outcome
	// Redirect is an absolute http or https address: the bank's page when Redirected, else where to send the customer after the
	// success, if anywhere. Its host has not been checked.
	Redirect          string
	TransactionID     string
	Code              string
	Description       string
	BankTransactionNo string
	GatewayReference  string
	CardLastFour      string
	// Amount, in minor units, and Currency are those in the answer, 0 and "" if it has none. Charged reports that it is an approval,
	// even if its amount or currency does not match.
	Amount   int64
	Currency string
	// Named is the amount of an approval as the gateway wrote it, if it is not an amount above zero; printable and short.
	Named    string
	Charged  bool
	Response *CardResponse
	Err      error
}
