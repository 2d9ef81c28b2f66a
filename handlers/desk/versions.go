package desk

import (
	"errors"
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	"forecourt/internal/upkeep/retention"
	view "forecourt/views/desk"
)

// ShowVersions answers GET /desk/{client}/menu/versions.
func (h *Handler) ShowVersions(w http.ResponseWriter, r *http.Request) error {
	return h.renderVersions(w, r, http.StatusOK, "")
}

func (h *Handler) renderVersions(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	m, err := h.menuOf(r, "Versions")
	if err != nil {
		return err
	}
	m.Trouble = trouble
	list, err := h.Menus.Versions(r.Context(), m.Shop.Code)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.VersionsPage(m, list, strconv.Itoa(retention.LatestMenus), strconv.Itoa(retention.LeastMenus)))
}

// BringBack answers POST /desk/{client}/menu/versions: it makes a version the draft again. The next page lists what that changes for guests
// and publishes it.
func (h *Handler) BringBack(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member := session.MemberOf(r)
	no, err := strconv.ParseInt(r.PostForm.Get("no"), 10, 32)
	if err != nil {
		return menu.ErrMissing
	}
	err = h.Menus.Restore(r.Context(), member.Person, member.Shop.Code, int32(no), revisionOf(r.PostForm))
	switch {
	case errors.Is(err, menu.ErrChanged):
		return h.renderVersions(
			w, r, http.StatusConflict, "Somebody has changed the draft, so nothing was brought back. Look at the draft first.",
		)
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "menu/publish")+"?done=back")
}
