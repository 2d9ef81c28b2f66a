// Package receipt serves the receipts of payments and checks their signatures.
package receipt

import (
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/receipt"
)

// Handler serves /receipt/{token} and what lies beside it.
type Handler struct {
	receipts *receipt.Receipts
	public   *url.URL
	proxies  web.Proxies
}

// New serves receipts; their codes lead to a public address.
func New(receipts *receipt.Receipts, public *url.URL, proxies web.Proxies) *Handler {
	return &Handler{receipts: receipts, public: public, proxies: proxies}
}
