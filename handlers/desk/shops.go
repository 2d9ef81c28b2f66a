package desk

import (
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/people/account"
	accountview "forecourt/views/account"
	view "forecourt/views/desk"
	"forecourt/views/layout"
)

// ShowShops answers GET /desk: the businesses of a person, and their merchants without one.
func (h *Handler) ShowShops(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	mine, err := h.Shops.Of(r.Context(), person.ID)
	if err != nil {
		return err
	}
	m := view.Shops{Frame: layout.Desk{Title: "Your businesses"}, Confirm: unconfirmed(person)}
	for _, one := range mine {
		m.Shops = append(m.Shops, view.Shop{Name: one.Name, URL: Path + "/" + one.Code, Role: view.RoleName(one.Role), Live: one.Live})
	}
	ready, err := h.Shops.Ready(r.Context(), person.ID)
	if err != nil {
		return err
	}
	for _, one := range ready {
		m.Ready = append(m.Ready, view.Ready{Name: one.Name, URL: Path + "/new?m=" + one.UUID.String()})
	}
	return web.Render(w, r, http.StatusOK, view.ShopsPage(m))
}

// unconfirmed asks a person to confirm the address. It returns nil if the address is confirmed.
func unconfirmed(p account.Person) *view.Confirm {
	if p.Verified {
		return nil
	}
	return &view.Confirm{Email: p.Email, Do: accountview.SendLink}
}
