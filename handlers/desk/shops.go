package desk

import (
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/people/account"
	view "forecourt/views/desk"
)

// ShowShops answers GET /desk: the businesses of a person, and their merchants without one.
func (h *Handler) ShowShops(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	mine, err := h.Shops.Of(r.Context(), person.ID)
	if err != nil {
		return err
	}
	ready, err := h.Shops.Ready(r.Context(), person.ID)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.ShopsPage(mine, ready, unconfirmed(person)))
}

// unconfirmed returns the address of a person who has not confirmed it, and else "".
func unconfirmed(p account.Person) string {
	if p.Verified {
		return ""
	}
	return p.Email
}
