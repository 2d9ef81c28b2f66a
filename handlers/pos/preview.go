package pos

import (
	"net/http"
	"path"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	view "forecourt/views/pos"
)

// ShowPreview answers GET /desk/{client}/menu/preview: the menu as guests will see the draft. Nothing can be ordered from it.
func (h *Handler) ShowPreview(w http.ResponseWriter, r *http.Request) error {
	code := session.MemberOf(r).Shop.Code
	state, err := h.studio.Open(r.Context(), code)
	if err != nil {
		return err
	}
	menu, err := h.menus.Preview(r.Context(), code, state.Draft)
	if err != nil {
		return err
	}
	m := menuModel(menu, choice{})
	m.Frame.Title, m.Frame.Scripts, m.Frame.Preload = "Preview", nil, nil
	m.Action, m.Notice, m.Editor = r.URL.Path, view.Preview, path.Dir(r.URL.Path)
	return web.Render(w, r, http.StatusOK, view.MenuPage(m))
}

// IgnorePreview answers POST /desk/{client}/menu/preview. The buttons of a preview do nothing.
func (h *Handler) IgnorePreview(w http.ResponseWriter, r *http.Request) error {
	return web.Redirect(w, r, r.URL.Path)
}
