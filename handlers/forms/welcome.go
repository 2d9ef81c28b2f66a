package forms

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/forms"
)

// ShowForm answers GET /form/{id} with the first step, as that step's own address does (ROUTE-15), or with what became of the form.
func (h *Handler) ShowForm(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	switch {
	case !v.Open():
		return web.Redirect(w, r, v.done())
	case !h.sessions.Marked(r, v.mark()):
		return showWelcome(w, r, v)
	default:
		return h.showAnswer(w, r, v, 0)
	}
}

// LetsGo answers POST /form/{id} and leads on to where the person left off (FORM-06).
func (h *Handler) LetsGo(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	if err := h.sessions.Mark(r, v.mark()); err != nil {
		return err
	}
	if !v.Open() {
		return web.Redirect(w, r, v.done())
	}
	return web.Redirect(w, r, v.path(v.Next()))
}

// showWelcome greets a signed-in person who has not pressed "Let's go!" in this session (FORM-04, FORM-54, FORM-55).
func showWelcome(w http.ResponseWriter, r *http.Request, v visit) error {
	return web.Render(w, r, http.StatusOK, view.WelcomePage(v.place(r.URL.Path)), view.Panel)
}
