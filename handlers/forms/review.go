package forms

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/form"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

// ShowReview answers GET /staff/forms/{reference}.
func (h *Handler) ShowReview(w http.ResponseWriter, r *http.Request) error {
	return h.review(w, r, http.StatusOK, func(*view.Review) {})
}

// Decide answers POST /staff/forms/{reference}: a decision on the submission that was looked at.
func (h *Handler) Decide(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	p, _ := web.Signed(r)
	handedIn, _ := strconv.ParseInt(r.PostForm.Get("handedIn"), 10, 32) // what is no number was never looked at
	d := form.Decision{
		Reference: form.ParseReference(chi.URLParam(r, "reference")), State: form.State(r.PostForm.Get("decision")),
		Reason: r.PostForm.Get("reason"), By: p.Email, HandedIn: int(handedIn),
	}
	err := h.forms.Decide(r.Context(), d)
	asked := view.DecisionFormOf(r.PostForm.Get("handedIn"), string(d.State), d.Reason)
	switch {
	case err == nil:
		return web.Redirect(w, r, "/staff/forms/"+d.Reference)
	case errors.Is(err, form.ErrDecided):
		return h.review(w, r, http.StatusConflict, func(v *view.Review) {
			v.Notice = view.DecidedOther
			if v.Decision != nil {
				v.Decision.Reason.Value = d.Reason
			}
		})
	case errors.Is(err, form.ErrNoDecision):
		asked.Choice.Problem = ui.NoDecision
	case errors.Is(err, form.ErrNoReason):
		asked.Reason.Problem = view.NoReason
	case errors.Is(err, form.ErrLongReason):
		asked.Reason.Problem = ui.LongReason
	default:
		return err
	}
	return h.review(w, r, http.StatusUnprocessableEntity, func(v *view.Review) {
		if v.Decision != nil {
			v.Decision = asked
		}
	})
}

// review shows a form with its answers and history.
func (h *Handler) review(w http.ResponseWriter, r *http.Request, status int, change func(*view.Review)) error {
	reference := form.ParseReference(chi.URLParam(r, "reference"))
	f, err := h.forms.Review(r.Context(), reference)
	if err != nil {
		return err
	}
	v := visit{kind: f.Kind, Form: &f.Form}
	m := view.Review{
		Frame: staffFrame(reference), URL: "/staff/forms/" + reference, QueueURL: "/staff/forms",
		Form: view.FormTitle(string(f.Kind)), Reference: reference, Name: f.Name, Email: f.Email,
		State: view.StaffState(string(f.State)), Sent: view.MomentOf(f.SubmittedAt), Sections: v.sections(false),
	}
	for _, e := range f.History {
		m.History = append(m.History, view.Event{
			When: view.MomentOf(e.At), Actor: e.Actor, What: view.HistoryWords(e.Action), Because: e.Reason,
		})
	}
	if f.State == form.Submitted {
		m.Decision = view.DecisionFormOf(strconv.Itoa(f.HandedIn), "", "")
	}
	change(&m)
	return web.Render(w, r, status, view.ReviewPage(m))
}
