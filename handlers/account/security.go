package account

import (
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
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
	m := view.Security{Email: p.Email, Older: before > 0}
	for _, e := range events {
		line := view.Event{What: view.EventWords(e.Kind), At: clock.Text(e.CreatedAt, told.Zone), Address: e.Address}
		if e.Agent != "" {
			line.Browser = browser(e.Agent)
		}
		m.Events = append(m.Events, line)
	}
	if len(events) == account.EventsShown {
		m.Next = "/account/security?before=" + strconv.FormatInt(events[len(events)-1].ID, 10)
	}
	return web.Render(w, r, http.StatusOK, view.SecurityPage(m))
}
