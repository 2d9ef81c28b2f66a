package desk

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/privacy"
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
	if hidden(member) {
		c.Timeline = slices.DeleteFunc(c.Timeline, func(e books.Event) bool { return e.Number != 0 }) // those of payouts
	}
	erasure, err := h.Privacy.PayerErasure(r.Context(), c.ID)
	if err != nil {
		return err
	}
	m := view.Payment{
		Frame: Frame(r, "Payment"), Case: c, May: member.May(shop.Refund), Owner: member.May(shop.Own),
		MayErase: member.May(shop.Edit) && !erasure.Done, Erased: erasure.Done, Asked: r.URL.Query().Get("refund"),
	}
	return web.Render(w, r, http.StatusOK, view.PaymentPage(m), view.PaymentFragment)
}

// payment returns the payment that an address names, with its refunds.
func (h *Handler) payment(r *http.Request) (books.Case, error) {
	return h.Books.Payment(r.Context(), session.MemberOf(r).Shop, chi.URLParam(r, "id"))
}

// ShowPayer answers GET /desk/{client}/payments/{id}/payer: it says what is deleted when the payer's details are removed.
func (h *Handler) ShowPayer(w http.ResponseWriter, r *http.Request) error {
	return h.renderPayer(w, r, http.StatusOK, "")
}

// ErasePayer answers POST /desk/{client}/payments/{id}/payer and orders the removal of the payer's details.
func (h *Handler) ErasePayer(w http.ResponseWriter, r *http.Request) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	member := session.MemberOf(r)
	err = h.Privacy.OrderPayer(r.Context(), member.Person, member.Shop.Code, c.ID)
	if errors.Is(err, privacy.ErrMoving) {
		return h.renderPayer(w, r, http.StatusConflict, view.PayerNeeded)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(c.ID)+"/payer"))
}

func (h *Handler) renderPayer(w http.ResponseWriter, r *http.Request, status int, notice string) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	stands, err := h.Privacy.PayerErasure(r.Context(), c.ID)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.PayerPage(Frame(r, "Remove the payer’s details"), c, stands, notice))
}
