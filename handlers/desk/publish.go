package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// ShowPublish answers GET /desk/{client}/menu/publish and lists what would change for guests.
func (h *Handler) ShowPublish(w http.ResponseWriter, r *http.Request) error {
	return h.renderPublish(w, r, http.StatusOK, "")
}

// PublishMenu answers POST /desk/{client}/menu/publish.
func (h *Handler) PublishMenu(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member := session.MemberOf(r)
	err := h.Menus.Publish(r.Context(), member.Person, member.Shop.Code, revisionOf(r.PostForm))
	switch {
	case errors.Is(err, menu.ErrFaulty):
		return h.renderPublish(w, r, http.StatusUnprocessableEntity, "")
	case errors.Is(err, menu.ErrChanged):
		const trouble = "Somebody has changed the draft, so nothing was published. Check the changes again."
		return h.renderPublish(w, r, http.StatusConflict, trouble)
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=published")
}

func (h *Handler) renderPublish(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	m, err := h.menuOf(r, "Publish")
	if err != nil {
		return err
	}
	_, m.Faults = m.Draft.Check(m.Locations)
	m.Trouble = trouble
	return web.Render(w, r, status, view.PublishPage(m))
}
