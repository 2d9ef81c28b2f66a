package main

import "math/rand/v2"

// Card numbers that have a fixed outcome at the sandbox.
const (
	approves     = "4111111111111111"
	declines     = "4000000000000002"
	noFunds      = "4000000000009995"
	challenges   = "4000000000003220" // 3-D Secure
	breaks       = "4000000000000119" // HTTP 500, not charged
	chargedBreak = "4000000000000127" // HTTP 500, charged
	chargedHangs = "4000000000000259" // charged, never answers
	chargedLate  = "4000000000000358" // charged 12 s later; until then the gateway does not know the outcome
	// These approve. Their refunds are, in turn, declined, pending for 3 s, and made but answered with HTTP 500.
	backDeclines = "4000000000005126"
	backPends    = "4000000000007726"
	backBreaks   = "4000000000000507"
	disputed     = "4000000000002685" // approves and is disputed at once; its refunds are declined
)

// lied is a card that approves. In the crash matrix a gateway reports a wrong amount for it.
const lied = "5555555555554444"

// mix returns how many of a thousand cards have each outcome. The others approve, and so do their refunds. 5 % time out or break, half of them charged.
func mix() []struct {
	card  string
	share int
} {
	return []struct {
		card  string
		share int
	}{
		{declines, 40}, {noFunds, 20}, {chargedHangs, 25}, {breaks, 25}, {chargedBreak, 20}, {challenges, 20}, {chargedLate, 15},
		{backDeclines, 60}, {backPends, 80}, {backBreaks, 150}, {disputed, 40},
	}
}

// draw picks a card. Unless late is set, it leaves out cards whose outcome takes long.
func draw(r *rand.Rand, late bool) string {
	n := r.IntN(1000)
	for _, c := range mix() {
		if n < c.share && (late || c.card != chargedLate) {
			return c.card
		}
		n -= c.share
	}
	return approves
}

// token returns a wallet's token that has the same outcome at the sandbox as the card, if there is such a token.
func token(card string) string {
	switch card {
	case declines, noFunds:
		return "decline"
	case chargedHangs:
		return "timeout"
	case breaks:
		return "uncharged"
	case challenges:
		return "redirect"
	default:
		return "approve"
	}
}
