package account

import (
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowSecurity answers GET /account/security, the account's security log. ?before is the last entry of the previous page.
func (h *Handler) ShowSecurity(w http.ResponseWriter, r *http.Request) error {
	p, _ := session.Signed(r)
	before, err := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64)
	if err != nil || before < 0 {
		before = 0
	}
	events, err := h.Accounts.Events(r.Context(), p.ID, before)
	if err != nil {
		return err
	}
	told, err := h.People.Of(r.Context(), p.ID)
	if err != nil {
		return err
	}
	m := view.Security{Email: p.Email, Events: events, Zone: told.Zone, Older: before > 0}
	if len(events) == account.EventsShown {
		m.Next = "/account/security?before=" + strconv.FormatInt(events[len(events)-1].ID, 10)
	}
	return web.Render(w, r, http.StatusOK, view.SecurityPage(m))
}
