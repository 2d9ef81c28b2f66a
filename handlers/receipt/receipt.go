// Package receipt serves the receipts of payments and checks their signatures.
package receipt

import (
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/privacy"
	"forecourt/internal/receipt"
)

// Handler serves /receipt/{token} and what lies beside it.
type Handler struct {
	receipts *receipt.Receipts
	privacy  *privacy.Privacy
	support  string // whom payers may write to
	public   *url.URL
	proxies  web.Proxies
}

// New serves receipts; their codes lead to a public address.
func New(receipts *receipt.Receipts, erasing *privacy.Privacy, support string, public *url.URL, proxies web.Proxies) *Handler {
	return &Handler{receipts: receipts, privacy: erasing, support: support, public: public, proxies: proxies}
}
