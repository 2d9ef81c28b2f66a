package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowLimits answers GET /desk/{client}/payments/limits: how much each role may refund, and whether floor staff see the takings.
func (h *Handler) ShowLimits(w http.ResponseWriter, r *http.Request) error {
	limits, err := h.Books.RefundLimits(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	given := map[shop.Role]string{}
	for _, role := range books.Refunders() {
		if limit := limits[role]; limit != nil {
			given[role] = money.Format(*limit)
		}
	}
	return renderLimits(w, r, http.StatusOK, given, session.MemberOf(r).Shop.FloorTakings, nil)
}

// ChangeLimits answers POST /desk/{client}/payments/limits. An empty field means no limit, and a missing one is refused.
func (h *Handler) ChangeLimits(w http.ResponseWriter, r *http.Request) error {
	member, set, given, problems := session.MemberOf(r), books.RefundLimits{}, map[shop.Role]string{}, fault.Problems{}
	for _, role := range books.Refunders() {
		if !r.PostForm.Has(string(role)) {
			return fault.New(fault.Invalid, "no limit of the role %s", role)
		}
		given[role] = r.PostForm.Get(string(role))
		minor, err := typed.Amount(given[role], member.Shop.Currency)
		if given[role] != "" && err != nil {
			problems[string(role)] = view.BadAmount
		}
		if set[role] = &minor; given[role] == "" {
			set[role] = nil
		}
	}
	takings := member.Shop.FloorTakings
	if choice := r.PostForm.Get(view.TakingsField); choice != "" {
		takings = choice == view.TakingsSeen
	}
	if len(problems) == 0 {
		err := h.Books.SetRefundLimits(r.Context(), member.Person, member.Shop, set, takings)
		if err == nil {
			return web.Redirect(w, r, address(r, "payments/limits")+"?done=saved")
		}
		if !errors.Is(err, books.ErrNoRefundLimit) {
			return err
		}
		problems[""] = view.BadAmount
	}
	return renderLimits(w, r, http.StatusUnprocessableEntity, given, takings, problems)
}

func renderLimits(
	w http.ResponseWriter, r *http.Request, status int, given map[shop.Role]string, takings bool, problems fault.Problems,
) error {
	done := r.Method == http.MethodGet && r.URL.Query().Get("done") == "saved"
	return web.Render(w, r, status, view.LimitsPage(
		Frame(r, "Limits of roles"), session.MemberOf(r).Shop.Currency, given, takings, problems, done,
	))
}
