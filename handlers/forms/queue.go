package forms

import (
	"net/http"
	"net/url"
	"strconv"

	"forecourt/handlers/web"
	"forecourt/internal/form"
	"forecourt/static"
	view "forecourt/views/forms"
	"forecourt/views/layout"
)

// queueStates are the parts of the queue; "" is all of it.
var queueStates = []form.State{form.Submitted, form.Returned, form.Approved, form.Declined, ""}

// ShowQueue answers GET /staff/forms: what waits for a decision, oldest first, or another part of what was handed in.
func (h *Handler) ShowQueue(w http.ResponseWriter, r *http.Request) error {
	filter := filterOf(r.URL.Query())
	page, more, err := h.forms.Queue(r.Context(), filter)
	if err != nil {
		return err
	}
	counts, err := h.forms.Counts(r.Context(), filter.Kind)
	if err != nil {
		return err
	}
	q := view.Queue{Frame: staffFrame("Forms"), Waiting: filter.State == form.Submitted}
	for _, state := range queueStates {
		other := filter
		other.State, other.Page = state, 1
		link := view.Filter{Label: view.StaffState(string(state)).Label, URL: queuePath(other), Current: state == filter.State}
		if n := counts[state]; n > 0 {
			link.Count = strconv.Itoa(n)
		}
		q.States = append(q.States, link)
	}
	for _, kind := range append([]form.Kind{""}, form.Kinds()...) {
		other := filter
		other.Kind, other.Page = kind, 1
		label := "All forms"
		if kind != "" {
			label = view.FormTitle(string(kind))
		}
		q.Kinds = append(q.Kinds, view.Filter{Label: label, URL: queuePath(other), Current: kind == filter.Kind})
	}
	for _, row := range page {
		q.Rows = append(q.Rows, view.Queued{
			Reference: row.Reference, URL: "/staff/forms/" + row.Reference, Form: view.FormTitle(string(row.Kind)),
			Name: row.TradingName, Email: row.Email, State: view.StaffState(string(row.State)), Sent: view.MomentOf(row.SubmittedAt),
		})
	}
	if filter.Page > 1 {
		other := filter
		other.Page--
		q.Older = queuePath(other)
	}
	if more {
		other := filter
		other.Page++
		q.Newer = queuePath(other)
	}
	return web.Render(w, r, http.StatusOK, view.QueuePage(q))
}

// filterOf reads ?state=…&form=…&page=…; without a state it is what waits, "all" is everything.
func filterOf(query url.Values) form.Filter {
	f := form.Filter{State: form.Submitted, Page: 1}
	switch state := form.State(query.Get("state")); state {
	case form.Submitted, form.Returned, form.Approved, form.Declined:
		f.State = state
	case "all":
		f.State = ""
	}
	if kind := form.Kind(query.Get("form")); kind.Known() {
		f.Kind = kind
	}
	if page, err := strconv.Atoi(query.Get("page")); err == nil && page > 1 {
		f.Page = page
	}
	return f
}

func queuePath(f form.Filter) string {
	query := url.Values{}
	switch f.State {
	case form.Submitted:
	case "":
		query.Set("state", "all")
	default:
		query.Set("state", string(f.State))
	}
	if f.Kind != "" {
		query.Set("form", string(f.Kind))
	}
	if f.Page > 1 {
		query.Set("page", strconv.Itoa(f.Page))
	}
	if len(query) == 0 {
		return "/staff/forms"
	}
	return "/staff/forms?" + query.Encode()
}

// staffFrame frames a page for staff.
func staffFrame(title string) layout.Site {
	return layout.Site{Title: title, Styles: []string{static.URL("forms.css"), static.URL("staff.css")}}
}
