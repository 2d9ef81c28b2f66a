package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowTables answers GET /desk/{client}/tables.
func (h *Handler) ShowTables(w http.ResponseWriter, r *http.Request) error {
	tables, err := h.Shops.Tables(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.TablesPage(frame(r, "Tables"), tables, shop.FormatTables(tables), "", saved(r)))
}

// SaveTables answers POST /desk/{client}/tables.
func (h *Handler) SaveTables(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, text := session.MemberOf(r), r.PostForm.Get("tables")
	err := h.Shops.SetTables(r.Context(), member.Person, member.Shop.Code, text)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.TablesPage(frame(r, "Tables"), nil, text, problems["tables"], false))
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "tables")+"?saved")
}
