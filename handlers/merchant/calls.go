package merchant

import (
	"net/http"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	view "forecourt/views/merchant"
)

// ShowCalls answers GET /merchant/admin/{uuid}/calls: the calls to the test gateway.
func (h *Handler) ShowCalls(w http.ResponseWriter, r *http.Request) error {
	d, err := h.open(r)
	if err != nil {
		return err
	}
	person, _ := session.Signed(r)
	calls, err := h.merchants.Calls(r.Context(), person.ID, d.one.UUID)
	if err != nil {
		return err
	}
	id := d.one.UUID.String()
	m := view.Log{Frame: h.frame(r, "Request log"), Name: d.one.Name}
	m.Back, m.URL = m.Frame.Address("m", id), m.Frame.Below(id, "calls")
	for _, c := range calls {
		m.Calls = append(m.Calls, view.Call{
			At: clock.Exact(c.At, d.one.Zone), Machine: c.At.UTC().Format(time.RFC3339), Method: c.Method, Path: c.Path,
			Body: c.Body, Note: c.Note, Status: c.Status, Amount: c.Amount, Reference: c.Reference,
		})
	}
	return web.Render(w, r, http.StatusOK, view.LogPage(m))
}
