package forms

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	view "forecourt/views/forms"
)

// ShowStep answers GET /form/{id}/{step}.
func (h *Handler) ShowStep(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	number, _ := v.kind.Number(chi.URLParam(r, "step"))
	asks := number < len(v.kind.Asking())
	if !v.Open() {
		if asks {
			return web.Redirect(w, r, v.done())
		}
		return h.showDone(w, r, v)
	}
	if !h.sessions.Marked(r, v.mark()) {
		return showWelcome(w, r, v)
	}
	if i, invalid := v.FirstInvalid(number); invalid {
		return web.Redirect(w, r, v.path(i))
	}
	if !asks {
		return web.Redirect(w, r, v.path(number))
	}
	return h.showAnswer(w, r, v, number)
}

// showAnswer shows a step with the stored answer. The first step of a form under way leads on to where the person left off, because the
// form's own address leads to that step (ROUTE-15).
func (h *Handler) showAnswer(w http.ResponseWriter, r *http.Request, v visit, number int) error {
	step, err := h.answer(r, v, number)
	if err != nil {
		return err
	}
	page := v.page(r, number, step, nil)
	if next := v.Next(); number == 0 && next > 0 && !r.URL.Query().Has("change") {
		page.On = next
	}
	return render(w, r, http.StatusOK, page)
}

// SaveStep answers POST /form/{id}/{step}.
func (h *Handler) SaveStep(w http.ResponseWriter, r *http.Request) error {
	v := h.person(r)
	number, _ := v.kind.Number(chi.URLParam(r, "step"))
	err := web.ParseForm(r)
	if fault.CodeOf(err) == fault.TooLarge {
		web.Drain(r)
		return h.showTooLarge(w, r, number)
	}
	if err != nil {
		return err
	}
	// A person who saves a step is continuing.
	if err := h.sessions.Mark(r, v.mark()); err != nil {
		return err
	}
	if number == len(v.kind.Asking()) || r.PostForm.Has("continue") {
		return web.Redirect(w, r, r.URL.Path)
	}
	step := read(v.kind.Asking()[number], r.PostForm)
	row, pressed := press(step, r.PostForm)
	if pressed {
		v.Form, err = h.forms.Keep(r.Context(), v.owner, v.kind, step)
	} else {
		v.Form, err = h.forms.Save(r.Context(), v.owner, v.kind, number, step)
	}
	var problems fault.Problems
	switch {
	case errors.As(err, &problems):
		return render(w, r, http.StatusUnprocessableEntity, v.page(r, number, step, problems))
	case errors.Is(err, form.ErrSubmitted), errors.Is(err, form.ErrIncomplete):
		return web.Redirect(w, r, r.URL.Path) // which leads to what is left to do
	case err != nil:
		return err
	}
	return web.Redirect(w, r, v.after(r, number, row, pressed))
}

// after returns where a person goes on after saving a step or pressing a button beside "Next".
func (v visit) after(r *http.Request, number int, row string, pressed bool) string {
	switch {
	case pressed:
		return withRow(r, row)
	case r.URL.Query().Has("change"): // came from the check, and goes back there
		return v.path(v.Next())
	default:
		return v.path(number + 1)
	}
}

// withRow returns the same address with the row that was added; row is "" for none.
func withRow(r *http.Request, row string) string {
	query := r.URL.Query()
	query.Del("row")
	if row != "" {
		query.Set("row", row)
	}
	if len(query) == 0 {
		return r.URL.Path
	}
	return r.URL.Path + "?" + query.Encode()
}

// showTooLarge shows a step as it was last saved.
func (h *Handler) showTooLarge(w http.ResponseWriter, r *http.Request, number int) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	if !v.Open() || number == len(v.kind.Asking()) {
		return fault.New(fault.TooLarge, "a form without further questions")
	}
	page := v.page(r, number, v.Step(number), nil)
	page.Notice = view.TooLarge
	return render(w, r, http.StatusRequestEntityTooLarge, page)
}

// page returns a step with the given answer and its problems.
func (v visit) page(r *http.Request, number int, answer form.Step, problems fault.Problems) view.Step {
	query, address := r.URL.Query(), v.path(number)
	if query.Has("change") {
		address += "?change"
	}
	s := view.Step{Place: v.place(address), Number: number, Answer: answer, Problems: problems, Row: -1}
	if row, err := strconv.Atoi(query.Get("row")); err == nil && len(problems) == 0 {
		s.Row = row
	}
	return s
}

func render(w http.ResponseWriter, r *http.Request, status int, s view.Step) error {
	return web.Render(w, r, status, view.StepPage(s), view.Panel)
}
