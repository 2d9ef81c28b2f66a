package mail

// RefundSubject is the subject of the letter that tells a payer about a refund.
func RefundSubject(amount, business string) string {
	return "Refund of " + amount + " from " + business
}

// RefundText is what that letter says. Whoever gives money back reads it before.
func RefundText(amount, business string) string {
	return business + " gave " + amount + " back to the card you paid with. Your bank may take a few days to show it."
}
