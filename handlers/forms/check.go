package forms

import (
	"errors"
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	accounts "forecourt/views/account"
	view "forecourt/views/forms"
)

// ShowCheck answers GET /form/{id}/check with all answers and links to change them.
func (h *Handler) ShowCheck(w http.ResponseWriter, r *http.Request) error {
	ask, err := h.accounts.AskVerified(r, beforeSubmit)
	if err != nil {
		return err
	}
	return h.showCheck(w, r, http.StatusOK, ask, nil)
}

// beforeSubmit says what has to wait until the address is verified.
const beforeSubmit = "you send this form"

func (h *Handler) showCheck(w http.ResponseWriter, r *http.Request, status int, ask *accounts.Unverified, problems fault.Problems) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	if !v.Open() {
		return web.Redirect(w, r, v.done())
	}
	if !h.sessions.Marked(r, v.mark()) {
		return showWelcome(w, r, v)
	}
	if i, invalid := v.FirstInvalid(len(v.kind.Asking())); invalid {
		return web.Redirect(w, r, v.path(i))
	}
	return web.Render(w, r, status, view.CheckPage(view.Check{
		Place: v.place(r.URL.Path), Unverified: ask, Note: view.NoteField(r.PostForm.Get("note"), problems["note"]),
	}), view.Panel)
}

// Submit answers POST /form/{id}/check. If the form was already submitted, it leads to the submitted one (FORM-51).
func (h *Handler) Submit(w http.ResponseWriter, r *http.Request) error {
	v := h.person(r)
	if r.PostForm.Has("continue") {
		if err := h.sessions.Mark(r, v.mark()); err != nil {
			return err
		}
		return web.Redirect(w, r, r.URL.Path)
	}
	ask, err := h.accounts.AskVerified(r, beforeSubmit)
	if err != nil {
		return err
	}
	if ask != nil {
		status := http.StatusForbidden
		if ask.Sent {
			status = http.StatusOK
		}
		return h.showCheck(w, r, status, ask, nil)
	}
	_, err = h.forms.Submit(r.Context(), v.owner, v.kind, r.PostForm.Get("note"))
	var problems fault.Problems
	if errors.As(err, &problems) {
		return h.showCheck(w, r, http.StatusUnprocessableEntity, nil, problems)
	}
	if errors.Is(err, form.ErrIncomplete) {
		return web.Redirect(w, r, r.URL.Path) // which leads to the step with the problem
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, v.done())
}

// showDone shows a submitted form and what became of it.
func (h *Handler) showDone(w http.ResponseWriter, r *http.Request, v visit) error {
	person, err := h.people.Of(r.Context(), v.owner.ID)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.DonePage(view.Done{
		Place: v.place(r.URL.Path), Email: v.owner.Email, Zone: person.Zone,
	}), view.Panel)
}
