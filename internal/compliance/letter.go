package compliance

import (
	"context"

	"forecourt/db"
)

// The letters that a merchant gets, by mail.Order.Kind.
const (
	LetterSigned  = "compliance signed"
	LetterDecided = "compliance decided"
)

// SignedLetter is what the writer of LetterSigned needs to know.
type SignedLetter struct {
	ID string `json:"id"`
	To string `json:"to"`
}

// DecidedLetter is what the writer of LetterDecided needs to know. It names nobody: the page does, to those who may see it.
type DecidedLetter struct {
	ID     string `json:"id"`
	To     string `json:"to"`
	Number int    `json:"number"`
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// SignedCopy is how a record was signed, and the copy to go with the letter. It reads through queries, nil where there is none.
func (s *Records) SignedCopy(ctx context.Context, queries *db.Queries, id string) (*Signature, []byte, error) {
	g, err := s.signature(ctx, queries, id)
	if g == nil || err != nil {
		return nil, nil, err
	}
	file, err := s.Copy(g)
	return g, file, err
}
