// Package receipt serves the receipts of payments and checks their signatures.
package receipt

import (
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/upkeep/privacy"
)

// Handler serves /receipt/{token} and the addresses below and beside it.
type Handler struct {
	receipts *receipt.Receipts
	privacy  *privacy.Privacy
	support  string // the address for payers' questions
	public   *url.URL
	proxies  web.Proxies
}

// New returns a Handler. The codes of receipts lead to the public address.
func New(receipts *receipt.Receipts, erasing *privacy.Privacy, support string, public *url.URL, proxies web.Proxies) *Handler {
	return &Handler{receipts: receipts, privacy: erasing, support: support, public: public, proxies: proxies}
}
