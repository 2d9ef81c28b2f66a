package desk

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowPayment answers GET /desk/{client}/payments/{id} with the history of a payment.
func (h *Handler) ShowPayment(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	c, err := h.Books.Find(r.Context(), member.Shop, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if member.Watching() {
		c.Receipt = "" // anybody with its address can open it
	}
	erasure, err := h.Privacy.PayerErasure(r.Context(), c.ID)
	if err != nil {
		return err
	}
	m := view.Payment{
		Frame: frame(r, "Payment"), Case: c, May: member.May(shop.Refund), MayErase: member.May(shop.Edit) && !erasure.Done,
		Erased: erasure.Done, Asked: r.URL.Query().Get("refund"),
	}
	return web.Render(w, r, http.StatusOK, view.PaymentPage(m), view.PaymentFragment)
}

// payment returns the payment that an address names, with its refunds.
func (h *Handler) payment(r *http.Request) (books.Case, error) {
	return h.Books.Payment(r.Context(), session.MemberOf(r).Shop, chi.URLParam(r, "id"))
}
