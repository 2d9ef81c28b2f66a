package compliance

import (
	"net/http"
	"net/url"
	"strconv"

	"forecourt/handlers/web"
	"forecourt/internal/compliance"
	"forecourt/static"
	view "forecourt/views/compliance"
	"forecourt/views/layout"
)

// ShowQueue answers GET /staff/compliance: who waits for a decision, or another part of the queue.
func (h *Handler) ShowQueue(w http.ResponseWriter, r *http.Request) error {
	state, page := compliance.Waiting, max(number(r.URL.Query().Get("page")), 1)
	switch s := compliance.State(r.URL.Query().Get("state")); s {
	case compliance.Returned, compliance.Accepted:
		state = s
	case "all":
		state = ""
	}
	list, more, err := h.records.Queue(r.Context(), state, page)
	if err != nil {
		return err
	}
	counts, err := h.records.Counts(r.Context())
	if err != nil {
		return err
	}
	q := view.Queue{Frame: staffFrame("Compliance")}
	for _, s := range []compliance.State{compliance.Waiting, compliance.Returned, compliance.Accepted, ""} {
		f := view.Filter{Label: view.StaffStatus(string(s)).Label, URL: queuePath(s, 1), Current: s == state}
		if counts[s] > 0 {
			f.Count = strconv.Itoa(counts[s])
		}
		q.States = append(q.States, f)
	}
	for _, p := range list {
		q.Rows = append(q.Rows, view.Queued{
			ID: p.ID, Name: p.Name, Business: p.Business, URL: reviewPath(p.ID, p.Number),
			Status: view.StaffStatus(string(p.State)), Changed: view.MomentOf(p.ChangedAt),
		})
	}
	if page > 1 {
		q.Previous = queuePath(state, page-1)
	}
	if more {
		q.Next = queuePath(state, page+1)
	}
	return web.Render(w, r, http.StatusOK, view.QueuePage(q))
}

func queuePath(state compliance.State, page int) string {
	query := url.Values{}
	if state == "" {
		state = "all"
	}
	if state != compliance.Waiting {
		query.Set("state", string(state))
	}
	if page > 1 {
		query.Set("page", strconv.Itoa(page))
	}
	if len(query) == 0 {
		return "/staff/compliance"
	}
	return "/staff/compliance?" + query.Encode()
}

func reviewPath(id string, number int) string {
	return "/staff/compliance/" + id + "/" + strconv.Itoa(number)
}

// staffFrame frames a page for staff.
func staffFrame(title string) layout.Site {
	return layout.Site{Title: title, Styles: []string{static.URL("compliance.css"), static.URL("staff.css")}}
}
