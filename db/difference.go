package db

import (
	"strings"

	"github.com/google/uuid"
)

// Difference is something that a gateway's ledger and our books have differently about a transaction. Entry is the ledger's entry, or nil
// if the ledger lacks one.
type Difference struct {
	Entry *uuid.UUID `json:"entry"`
	Code  string     `json:"code"` // capture, refund, again, amount, odd or other: what a person can do about it
	Says  string     `json:"says"`
}

// Differences puts differences into a sentence.
func Differences(all []Difference) string {
	says := make([]string, len(all))
	for i, d := range all {
		says[i] = d.Says
	}
	return strings.Join(says, "; ")
}
