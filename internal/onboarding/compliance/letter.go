package compliance

import (
	"context"

	"forecourt/db"
	"forecourt/db/state"
)

// The letters that a merchant gets, by mail.Request.Kind.
const (
	LetterOpened  = "compliance opened"
	LetterSigned  = "compliance signed"
	LetterDecided = "compliance decided"
)

// OpenedLetter is what the writer of LetterOpened needs.
type OpenedLetter struct {
	ID string `json:"id"`
	To string `json:"to"`
}

// SignedLetter is what the writer of LetterSigned needs.
type SignedLetter struct {
	ID string `json:"id"`
	To string `json:"to"`
}

// DecidedLetter is what the writer of LetterDecided needs. The letter names the
// person by first name and initial, which are read when it is written.
type DecidedLetter struct {
	ID     string       `json:"id"`
	To     string       `json:"to"`
	Number int          `json:"number"`
	State  state.Person `json:"state"`
	Reason string       `json:"reason,omitempty"`
}

// SignedCopy returns how a record was signed, and the copy to attach to the letter. It reads through queries; the result is nil if
// the record is not signed.
func (s *Records) SignedCopy(ctx context.Context, queries *db.Queries, id string) (*Signature, []byte, error) {
	g, err := s.signature(ctx, queries, id)
	if g == nil || err != nil {
		return nil, nil, err
	}
	file, err := s.Copy(g)
	return g, file, err
}
