package compliance

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"forecourt/db"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/site/legal"
)

// AgreementVersion names the texts of the agreements (internal/site/legal/agreement.md and merchant.md). Change it whenever one changes.
const AgreementVersion = "2026-12"

// Texts is what a merchant signs at once, as it is stored: the direct debit agreement, and the merchant agreement with its fees.
type Texts struct {
	legal.Document
	Merchant legal.Document `json:",omitzero"` // without a title in what was signed before there was one
}

// Agreement is the texts that are offered to a merchant.
type Agreement struct {
	Texts
	Version string
	Hash    [sha256.Size]byte // of the texts as they are stored
	stored  string
}

// feesLater stands for the fees in an agreement, if none are set.
const feesLater = "those that we confirm to you in writing before your business goes live"

// Agreement returns the texts that are offered now to the business of a record.
func (s *Records) Agreement(ctx context.Context, r *Record) (a Agreement, err error) {
	f, err := settlement.FeesOf(ctx, db.New(s.pool), r.ShopCode)
	if err != nil {
		return a, err
	}
	fees := feesLater
	if f.Set() {
		fees = f.String()
	}
	a = Agreement{Texts: Texts{legal.Agreement(s.provider), legal.Merchant(s.provider, r.Business, fees)}, Version: AgreementVersion}
	text, err := json.Marshal(a.Texts)
	a.stored, a.Hash = string(text), sha256.Sum256(text)
	return a, err
}
