package desk

import (
	"errors"
	"net/http"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowLimits answers GET /desk/{client}/payments/limits: how much each role may refund.
func (h *Handler) ShowLimits(w http.ResponseWriter, r *http.Request) error {
	limits, err := h.Books.RefundLimits(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	return h.renderLimits(w, r, http.StatusOK, view.LimitsOf(limits, session.MemberOf(r).Shop.Currency))
}

// ChangeLimits answers POST /desk/{client}/payments/limits. An empty field means no limit.
func (h *Handler) ChangeLimits(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, set := session.MemberOf(r), books.RefundLimits{}
	m := view.Limits{}
	for _, role := range books.Refunders() {
		typed := strings.TrimSpace(r.PostForm.Get(string(role)))
		minor, err := money.Typed(typed, member.Shop.Currency)
		field := view.LimitField(role, typed, member.Shop.Currency)
		if typed != "" && err != nil {
			field.Problem = view.BadAmount
		}
		if set[role] = &minor; typed == "" {
			set[role] = nil
		}
		m.Fields = append(m.Fields, field)
	}
	for _, field := range m.Fields {
		if field.Problem != "" {
			return h.renderLimits(w, r, http.StatusUnprocessableEntity, m)
		}
	}
	err := h.Books.SetRefundLimits(r.Context(), member.Person, member.Shop, set)
	if errors.Is(err, books.ErrNoRefundLimit) {
		m.Notice = view.BadAmount
		return h.renderLimits(w, r, http.StatusUnprocessableEntity, m)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "payments/limits")+"?done=saved")
}

func (h *Handler) renderLimits(w http.ResponseWriter, r *http.Request, status int, m view.Limits) error {
	m.Frame = frame(r, "Refund limits")
	m.Done = r.Method == http.MethodGet && r.URL.Query().Get("done") == "saved"
	return web.Render(w, r, status, view.LimitsPage(m))
}
