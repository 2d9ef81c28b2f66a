package merchant

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/merchant"
	view "forecourt/views/merchant"
)

// ShowInvite answers GET /merchant/join/{token}.
func (h *Handler) ShowInvite(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	invited, err := h.merchants.FindInvite(r.Context(), chi.URLParam(r, "token"))
	used := errors.Is(err, merchant.ErrInviteUsed)
	if err != nil && !used {
		return err
	}
	if used {
		return web.Render(w, r, http.StatusGone, view.UsedPage(invited, person.Email))
	}
	return web.Render(w, r, http.StatusOK, view.JoinPage(invited, person.Email))
}

// Join answers POST /merchant/join/{token}.
func (h *Handler) Join(w http.ResponseWriter, r *http.Request) error {
	id, err := h.merchants.Join(r.Context(), session.Who(r), chi.URLParam(r, "token"))
	if errors.Is(err, merchant.ErrInvite) {
		if _, why := h.merchants.FindInvite(r.Context(), chi.URLParam(r, "token")); errors.Is(why, merchant.ErrInviteUsed) {
			return h.ShowInvite(w, r)
		}
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, view.Path+"?m="+id.String())
}
