package desk

import (
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	view "forecourt/views/desk"
)

// ShowAccess answers GET /desk/{client}/access?before=NUMBER and lists when the provider's staff looked at this desk.
func (h *Handler) ShowAccess(w http.ResponseWriter, r *http.Request) error {
	before, err := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64)
	if err != nil {
		before = 0
	}
	one, next := session.MemberOf(r).Shop, ""
	list, more, err := h.Shops.Looks(r.Context(), one.Code, before)
	if err != nil {
		return err
	}
	if more {
		next = address(r, "access") + "?before=" + strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return web.Render(w, r, http.StatusOK, view.AccessPage(frame(r, "Access by our staff"), list, one.Zone(), next, before > 0))
}
