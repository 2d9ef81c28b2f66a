package main

import "math/rand/v2"

// Card numbers with a fixed outcome at the sandbox.
const (
	approves     = "4111111111111111"
	declines     = "4000000000000002"
	noFunds      = "4000000000009995"
	challenges   = "4000000000003220" // 3-D Secure
	breaks       = "4000000000000119" // HTTP 500, not charged
	chargedBreak = "4000000000000127" // HTTP 500, charged
	chargedHangs = "4000000000000259" // charged, never answers
	chargedLate  = "4000000000000358" // charged 12 s later; until then the gateway does not know
	// These approve. Their refunds are declined, pending for 3 s, done and answered with HTTP 500.
	backDeclines = "4000000000005126"
	backPends    = "4000000000007726"
	backBreaks   = "4000000000000507"
	disputed     = "4000000000002685" // approves, and is disputed at once; its refunds are declined
)

// lied is a card that approves; in the crash matrix a gateway tells another amount of it.
const lied = "5555555555554444"

// mix is how many of a thousand cards are which; the others approve, refunds too. 5 % time out or break, half of them charged.
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

// draw picks a card. One that takes long to be decided is left out where late is false.
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

// token is a wallet's token of which the sandbox makes what it makes of the card, as far as it has one.
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
