package mails

// DecidedWords are the decisions of staff on a payment or a refund, in words.
var DecidedWords = map[string]string{
	"approved": "Approved: what the gateway captured is final", "given_back": "Refunded: all that the gateway captured goes back",
	"not_charged": "Not charged: no money moved", "done": "Done: the gateway made the refund", "declined": "Declined: no money was refunded",
}
