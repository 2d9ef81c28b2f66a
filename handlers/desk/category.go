package desk

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// ShowCategory answers GET /desk/{client}/menu/category/{id}.
func (h *Handler) ShowCategory(w http.ResponseWriter, r *http.Request) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	state, err := h.Menus.Open(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	c := &menu.Category{}
	if id != 0 {
		c = state.Draft.Category(id)
	}
	if !ok || c == nil {
		return menu.ErrMissing
	}
	return h.renderCategory(w, r, http.StatusOK, view.CategoryOf(&state.Draft, *c, nil), state.Revision)
}

// SaveCategory answers POST /desk/{client}/menu/category/{id}: it changes a category or removes it.
func (h *Handler) SaveCategory(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	id, ok := idOf(chi.URLParam(r, "id"))
	if !ok {
		return menu.ErrMissing
	}
	member, revision := session.MemberOf(r), revisionOf(r.PostForm)
	if r.PostForm.Get("do") == "remove" {
		return h.removeCategory(w, r, id, revision)
	}
	mine := menu.Category{ID: id, Name: r.PostForm.Get("name"), Hours: r.PostForm.Get("hours")}
	out, err := menu.Save(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Categories, mine, revision)
	switch {
	case err != nil:
		return err
	case out.Clash != nil:
		after := out.Clash.Draft.Clone()
		after.PutCategory(out.Kept)
		m := view.CategoryOf(&out.Clash.Draft, mine, nil)
		m.Clash = clashOf(r, out.Clash, "category", id, &after)
		return h.renderCategory(w, r, http.StatusConflict, m, out.Clash.Revision)
	case len(out.Problems) > 0:
		state, err := h.Menus.Open(r.Context(), member.Shop.Code)
		if err != nil {
			return err
		}
		return h.renderCategory(w, r, http.StatusUnprocessableEntity, view.CategoryOf(&state.Draft, mine, out.Problems), revision)
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=saved")
}

func (h *Handler) removeCategory(w http.ResponseWriter, r *http.Request, id, revision int64) error {
	member := session.MemberOf(r)
	clash, err := menu.Remove(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Categories, id, revision)
	if err != nil {
		return err
	}
	if clash == nil {
		return web.Redirect(w, r, address(r, "menu")+"?done=removed")
	}
	m := view.CategoryOf(&clash.Draft, *clash.Theirs, nil)
	m.Trouble = notRemoved(r, clash.By, clash.At, "category or its items")
	return h.renderCategory(w, r, http.StatusConflict, m, clash.Revision)
}

func (h *Handler) renderCategory(w http.ResponseWriter, r *http.Request, status int, m view.CategoryForm, revision int64) error {
	m.Frame, m.URL, m.Action = frame(r, "Category"), address(r, "menu"), address(r, "menu/category/"+chi.URLParam(r, "id"))
	m.Revision = revision
	return web.Render(w, r, status, view.CategoryPage(m))
}
