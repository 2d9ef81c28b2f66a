package desk

// RefundSubject is the subject of the letter that tells a payer about a refund.
func RefundSubject(amount, business string) string {
	return "Refund of " + amount + " from " + business
}

// RefundText is the text of that letter. The person who makes the refund sees it beforehand.
func RefundText(amount, business string) string {
	return business + " refunded " + amount + " to the card you paid with. Your bank may take a few days to show it."
}
