// Package receipt serves the receipts of payments and checks their signatures.
package receipt

import (
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/receipt"
	view "forecourt/views/receipt"
)

// formLimit is far above the one button of a receipt.
const formLimit = 4 << 10

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

// Routes mounts the pages on a router.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	r.Get(view.CheckPath, s.Page(h.checkReceipt))
	r.Get(view.KeyPath, s.Page(h.sendKey))
	r.Get("/receipt/{token}", s.Page(h.showReceipt))
	r.Get("/receipt/{token}/code.svg", s.Page(h.sendCode))
	r.Get("/receipt/{token}/receipt.txt", s.Page(h.sendText))
	r.Get("/receipt/{token}/receipt.sig", s.Page(h.sendSignature))
	r.Post("/receipt/{token}/resend", s.Page(h.sendAgain))
}

// Path is the page of the receipt with a token.
func Path(token string) string { return "/receipt/" + token }
