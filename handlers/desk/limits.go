package desk

import (
	"errors"
	"net/http"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowLimits answers GET /desk/{client}/payments/limits: how much each role may refund.
func (h *Handler) ShowLimits(w http.ResponseWriter, r *http.Request) error {
	limits, err := h.Books.RefundLimits(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	typed := map[shop.Role]string{}
	for _, role := range books.Refunders() {
		if limit := limits[role]; limit != nil {
			typed[role] = money.Format(*limit)
		}
	}
	return renderLimits(w, r, http.StatusOK, typed, nil)
}

// ChangeLimits answers POST /desk/{client}/payments/limits. An empty field means no limit.
func (h *Handler) ChangeLimits(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, set, typed, problems := session.MemberOf(r), books.RefundLimits{}, map[shop.Role]string{}, fault.Problems{}
	for _, role := range books.Refunders() {
		typed[role] = strings.TrimSpace(r.PostForm.Get(string(role)))
		minor, err := money.Typed(typed[role], member.Shop.Currency)
		if typed[role] != "" && err != nil {
			problems[string(role)] = view.BadAmount
		}
		if set[role] = &minor; typed[role] == "" {
			set[role] = nil
		}
	}
	if len(problems) == 0 {
		err := h.Books.SetRefundLimits(r.Context(), member.Person, member.Shop, set)
		if err == nil {
			return web.Redirect(w, r, address(r, "payments/limits")+"?done=saved")
		}
		if !errors.Is(err, books.ErrNoRefundLimit) {
			return err
		}
		problems[""] = view.BadAmount
	}
	return renderLimits(w, r, http.StatusUnprocessableEntity, typed, problems)
}

func renderLimits(w http.ResponseWriter, r *http.Request, status int, typed map[shop.Role]string, problems fault.Problems) error {
	done := r.Method == http.MethodGet && r.URL.Query().Get("done") == "saved"
	return web.Render(w, r, status, view.LimitsPage(frame(r, "Refund limits"), session.MemberOf(r).Shop.Currency, typed, problems, done))
}
