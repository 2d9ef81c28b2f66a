package form

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/run/mail"
)

// The letters that a form's owner gets, by mail.Request.Kind.
const (
	LetterSubmitted = "form submitted"
	LetterDecided   = "form decided"
)

// LetterData is what the writers of these letters need.
type LetterData struct {
	Reference string `json:"reference"`
	HandedIn  int    `json:"handedIn"`         // which submission it is about
	State     State  `json:"state,omitempty"`  // of a decision
	Reason    string `json:"reason,omitempty"` // of a decision
}

// queueLetter queues a letter with its data.
func (s *Forms) queueLetter(ctx context.Context, tx pgx.Tx, letter string, data LetterData) error {
	return s.mail.Add(ctx, tx, mail.Request{
		Kind: letter, Key: fmt.Sprintf("%s/%s/%d", letter, data.Reference, data.HandedIn), Data: data,
	})
}
