package desk

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	view "forecourt/views/desk"
)

// ShowCategory answers GET /desk/{client}/menu/category/{id}.
func (h *Handler) ShowCategory(w http.ResponseWriter, r *http.Request) error {
	c, err := h.category(r)
	if err != nil {
		return err
	}
	return h.renderCategory(w, r, http.StatusOK, view.CategoryOf(c, c, nil))
}

// category returns the category that an address names; it has no ID if it is new. Errors: menustore.ErrMissing.
func (h *Handler) category(r *http.Request) (menu.Category, error) {
	id, ok := idOf(chi.URLParam(r, "id"))
	state, err := h.Menus.Open(r.Context(), web.MemberOf(r).Shop.Code)
	switch {
	case err != nil:
		return menu.Category{}, err
	case ok && id == 0:
		return menu.Category{}, nil
	}
	c := state.Draft.Category(id)
	if !ok || c == nil {
		return menu.Category{}, menustore.ErrMissing
	}
	return *c, nil
}

// SaveCategory answers POST /desk/{client}/menu/category/{id}: it changes a category or removes it.
func (h *Handler) SaveCategory(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	id, ok := idOf(chi.URLParam(r, "id"))
	if !ok {
		return menustore.ErrMissing
	}
	member := web.MemberOf(r)
	if r.PostForm.Get("do") == "remove" {
		if err := h.Menus.Arrange(r.Context(), member.Person, member.Shop.Code, func(m *menu.Menu) { m.RemoveCategory(id) }); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "menu")+"?done=removed")
	}
	was := original[menu.Category](r.PostForm)
	mine := menu.Category{ID: id, Name: r.PostForm.Get("name"), Hours: r.PostForm.Get("hours")}
	out, err := h.Menus.SaveCategory(r.Context(), member.Person, member.Shop.Code, was, mine)
	if err != nil {
		return err
	}
	if !out.Refused() {
		return web.Redirect(w, r, address(r, "menu")+"?done=saved")
	}
	status, page := http.StatusUnprocessableEntity, view.CategoryOf(was, out.Kept, out.Problems)
	switch {
	case out.Gone:
		status, page = http.StatusConflict, view.CategoryOf(menu.Category{}, menu.Category{Name: mine.Name, Hours: mine.Hours}, nil)
		page.Trouble = "Somebody has removed this category. You can add it again."
	case len(out.Both) > 0:
		status, page = http.StatusConflict, view.CategoryOf(out.Theirs, out.Kept, nil)
		page.Clash = view.ClashOf(out.By, out.Both, out.Theirs.Facts(), out.Kept.Facts())
	}
	return h.renderCategory(w, r, status, page)
}

func (h *Handler) renderCategory(w http.ResponseWriter, r *http.Request, status int, m view.CategoryForm) error {
	m.Frame, m.URL, m.Action = frame(r, "Category"), address(r, "menu"), address(r, "menu/category/"+chi.URLParam(r, "id"))
	if m.New {
		m.Action = address(r, "menu/category/new")
	} else if c, err := h.category(r); err == nil { // removing it removes its items
		m.Items = len(c.Items)
	}
	return web.Render(w, r, status, view.CategoryPage(m))
}

// original reads, from the form that carries it, the version that an editor first saw. If it cannot be read it is zero, so that each
// difference counts as somebody else's.
func original[T any](form url.Values) (was T) {
	var read T
	if json.Unmarshal([]byte(form.Get("was")), &read) == nil {
		was = read
	}
	return was
}
