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
	list, more, err := h.Shops.Looks(r.Context(), session.MemberOf(r).Shop, before)
	if err != nil {
		return err
	}
	m := view.Access{
		Frame: frame(r, "Access by our staff"), Back: address(r, "team"),
		URL: address(r, "access"), Home: address(r, ""), List: list, Further: before > 0,
	}
	if more {
		m.Next = m.URL + "?before=" + strconv.FormatInt(list[len(list)-1].No, 10)
	}
	return web.Render(w, r, http.StatusOK, view.AccessPage(m))
}
