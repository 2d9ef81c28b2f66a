package compliance

import (
	"crypto/sha256"
	"encoding/json"

	"forecourt/internal/site/legal"
)

// AgreementVersion names the text of the agreement (internal/site/legal/agreement.md). Change it whenever the text changes.
const AgreementVersion = "2026-11"

// Agreement is the text that a merchant signs.
type Agreement struct {
	legal.Document
	Version string
	Hash    [sha256.Size]byte // of the document as it is stored
	stored  string
}

// Agreement returns the Direct Debit Request Service Agreement that is offered now.
func (s *Records) Agreement() (Agreement, error) {
	a := Agreement{Document: legal.Agreement(s.provider), Version: AgreementVersion}
	text, err := json.Marshal(a.Document)
	a.stored, a.Hash = string(text), sha256.Sum256(text)
	return a, err
}
