package forms

import (
	"errors"
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/form"
	view "forecourt/views/forms"
)

// ShowCheck answers GET /form/{id}/check: all answers, with links to change them.
func (h *Handler) ShowCheck(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	asking := len(v.kind.Asking())
	if !v.Open() {
		return web.Redirect(w, r, v.done())
	}
	if !h.sessions.Marked(r, v.mark()) {
		return showWelcome(w, r, v)
	}
	if i, invalid := v.FirstInvalid(asking); invalid {
		return web.Redirect(w, r, v.path(i))
	}
	return web.Render(w, r, http.StatusOK, view.CheckPage(view.Check{
		Place: v.place("Check your answers", r.URL.Path), Progress: v.progress(asking), BackURL: v.path(asking - 1),
		Sections: v.sections(true), Again: v.State == form.Returned,
	}), view.Panel)
}

// Submit answers POST /form/{id}/check. Sent again, it leads to what was handed in (FORM-51).
func (h *Handler) Submit(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	v := h.person(r)
	if r.PostForm.Has("continue") {
		if err := h.sessions.Mark(r, v.mark()); err != nil {
			return err
		}
		return web.Redirect(w, r, r.URL.Path)
	}
	_, err := h.forms.Submit(r.Context(), v.owner, v.kind)
	if errors.Is(err, form.ErrIncomplete) {
		return web.Redirect(w, r, r.URL.Path) // which leads to the step that does not hold
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, v.done())
}

// showDone shows a form that was handed in, and what became of it.
func (h *Handler) showDone(w http.ResponseWriter, r *http.Request, v visit) error {
	state := string(v.State)
	return web.Render(w, r, http.StatusOK, view.DonePage(view.Done{
		Place: v.place("Sent", r.URL.Path), Reference: v.Reference, State: view.StateOf(state), Why: v.Reason,
		Sent: view.MomentOf(v.SubmittedAt), Next: view.NextSteps(string(v.kind), state, v.owner.Email), Sections: v.sections(false),
	}), view.Panel)
}

// sections words the answers of a form.
func (v visit) sections(change bool) []view.Section {
	var all []view.Section
	for i, id := range v.kind.Asking() {
		s := view.Section{Title: view.StepTitle(string(id)), Rows: rows(id, &v.Data)}
		if change {
			s.ChangeURL = v.path(i) + "?change"
		}
		all = append(all, s)
	}
	return all
}
