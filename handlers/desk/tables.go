package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowTables answers GET /desk/{client}/tables.
func (h *Handler) ShowTables(w http.ResponseWriter, r *http.Request) error {
	tables, err := h.Shops.Tables(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	return h.renderTables(w, r, http.StatusOK, view.TablesOf(tables, shop.FormatTables(tables)))
}

// SaveTables answers POST /desk/{client}/tables.
func (h *Handler) SaveTables(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	text := r.PostForm.Get("tables")
	tables, err := shop.ParseTables(text)
	var problem *shop.TableError
	if errors.As(err, &problem) {
		m := view.TablesOf(nil, text)
		m.Field.Problem = view.TableProblem(problem)
		return h.renderTables(w, r, http.StatusUnprocessableEntity, m)
	}
	member := session.MemberOf(r)
	if err := h.Shops.SetTables(r.Context(), member.Person, member.Shop.Code, tables); err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "tables")+"?saved")
}

func (h *Handler) renderTables(w http.ResponseWriter, r *http.Request, status int, m view.Tables) error {
	m.Frame, m.URL = frame(r, "Tables"), address(r, "tables")
	m.Saved = r.Method != http.MethodPost && r.URL.Query().Has("saved")
	return web.Render(w, r, status, view.TablesPage(m))
}
