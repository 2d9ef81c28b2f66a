package compliance

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/compliance"
	view "forecourt/views/compliance"
	"forecourt/views/ui"
)

// ShowReview answers GET /staff/compliance/{id}/{number}.
func (h *Handler) ShowReview(w http.ResponseWriter, r *http.Request) error {
	return h.review(w, r, http.StatusOK, func(*view.Review) {})
}

// Decide answers POST /staff/compliance/{id}/{number}: a decision on what was looked at.
func (h *Handler) Decide(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	p, _ := web.Signed(r)
	revision, err := strconv.ParseInt(r.PostForm.Get("revision"), 10, 32)
	if err != nil {
		revision = -1 // what is no number was never looked at
	}
	d := compliance.Decision{
		ID: chi.URLParam(r, "id"), Number: number(chi.URLParam(r, "number")), State: compliance.State(r.PostForm.Get("decision")),
		Reason: r.PostForm.Get("reason"), By: p.Email, Revision: int(revision),
	}
	asked := view.DecisionFormOf(strconv.FormatInt(revision, 10), string(d.State), d.Reason)
	err = h.records.Decide(r.Context(), d)
	switch {
	case err == nil:
		return web.Redirect(w, r, "/staff/compliance")
	case errors.Is(err, compliance.ErrDecided):
		return h.review(w, r, http.StatusConflict, func(v *view.Review) {
			v.Notice = view.DecidedOther
			if v.Decision != nil {
				v.Decision.Reason.Value = d.Reason
			}
		})
	case errors.Is(err, compliance.ErrNoDecision):
		asked.Choice.Problem = ui.NoDecision
	case errors.Is(err, compliance.ErrNoReason):
		asked.Reason.Problem = view.NoReason
	case errors.Is(err, compliance.ErrLongReason):
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

// review shows a person with their history; each look is noted.
func (h *Handler) review(w http.ResponseWriter, r *http.Request, status int, change func(*view.Review)) error {
	staff, _ := web.Signed(r)
	v, err := h.records.Review(r.Context(), staff.Email, chi.URLParam(r, "id"), number(chi.URLParam(r, "number")))
	if err != nil {
		return err
	}
	self := reviewPath(v.ID, v.Number)
	m := view.Review{
		Frame: staffFrame(v.Name), URL: self, ID: v.ID, Business: v.Business,
		Person: personModel(v.Person, "/staff/compliance/"+v.ID), Changed: view.MomentOf(v.ChangedAt),
	}
	m.Status, m.Answers = view.StaffStatus(string(v.State)), answersOf(v.Person)
	m.History = historyOf(v.History)
	if v.State == compliance.Waiting {
		m.Decision = view.DecisionFormOf(strconv.Itoa(v.Revision), "", "")
	}
	change(&m)
	return web.Render(w, r, status, view.ReviewPage(m))
}

// oneLook is how long somebody may look at a person again before that is told as another look.
const oneLook = time.Hour

// historyOf words what happened, the newest first. What one person looked at in a row is told once.
func historyOf(events []compliance.Event) []view.Event {
	var told []view.Event
	for i := 0; i < len(events); {
		first, actions := events[i], []string{}
		for ; i < len(events); i++ {
			e := events[i]
			alike := view.IsLook(e.Action) && view.IsLook(first.Action) && e.Actor == first.Actor && first.At.Sub(e.At) < oneLook
			if len(actions) > 0 && !alike {
				break
			}
			actions = append(actions, e.Action)
		}
		told = append(told, view.Event{When: view.MomentOf(first.At), Actor: first.Actor, What: view.HistoryWords(actions...), Because: first.Reason})
	}
	return told
}

// SendReviewPicture answers GET /staff/compliance/{id}/{number}/{side}; each look is noted.
func (h *Handler) SendReviewPicture(w http.ResponseWriter, r *http.Request) error {
	staff, _ := web.Signed(r)
	side := compliance.Side(chi.URLParam(r, "side"))
	file, err := h.records.ReviewPicture(r.Context(), staff.Email, chi.URLParam(r, "id"), number(chi.URLParam(r, "number")), side)
	if err != nil {
		return err
	}
	return writePicture(w, file)
}

// picturePath is the address of a picture below base. Another picture has another address.
func picturePath(base string, p *compliance.Person, side compliance.Side) string {
	return fmt.Sprintf("%s/%d/%s?v=%d", base, p.Number, side, p.Revision)
}
