package merchant

import (
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	view "forecourt/views/merchant"
)

// ShowCalls answers GET /merchant/admin/{uuid}/calls: the calls to the test gateway.
func (h *Handler) ShowCalls(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	person, _ := session.Signed(r)
	calls, err := h.merchants.Calls(r.Context(), person.ID, m.One.UUID)
	if err != nil {
		return err
	}
	m.Frame = h.frame(r, "Request log")
	return web.Render(w, r, http.StatusOK, view.LogPage(view.Log{Dashboard: m, Calls: calls}))
}
