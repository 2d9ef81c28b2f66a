package desk

import (
	"errors"
	"net/http"
	"net/url"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/upkeep/privacy"
	view "forecourt/views/desk"
)

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
	return web.Render(w, r, status, view.PayerPage(view.Payer{
		Frame: frame(r, "Remove the payer’s details"), Case: c, Notice: notice, Going: stands.Ordered, Done: stands.Done,
	}))
}
