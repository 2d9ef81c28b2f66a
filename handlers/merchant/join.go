package merchant

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/merchant"
	view "forecourt/views/merchant"
)

// ShowInvite answers GET /merchant/join/{token}.
func (h *Handler) ShowInvite(w http.ResponseWriter, r *http.Request) error {
	person, _ := web.Signed(r)
	email, name, err := h.merchants.FindInvite(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	f := view.Frame{Title: "Join " + name}
	return web.Render(w, r, http.StatusOK, view.JoinPage(view.Join{Frame: f, Merchant: name, Email: email, You: person.Email}))
}

// Join answers POST /merchant/join/{token}.
func (h *Handler) Join(w http.ResponseWriter, r *http.Request) error {
	person, _ := web.Signed(r)
	id, err := h.merchants.Join(r.Context(), merchant.Person{ID: person.ID, Email: person.Email}, chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	return web.Redirect(w, r, view.Path+"?m="+id.String())
}
