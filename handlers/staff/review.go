package staff

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
)

// ShowCase answers GET on the path of a case.
func (q Queue) ShowCase(w http.ResponseWriter, r *http.Request) error {
	return q.show(w, r, http.StatusOK, func(*view.Review) {})
}

// DecideCase answers POST on the path of a case, a decision on the version that was shown. If the decision is not recorded, it is shown
// again with the reason, beside the case as it stands now.
func (q Queue) DecideCase(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	p, _ := session.Signed(r)
	seen, err := strconv.ParseInt(r.PostForm.Get("seen"), 10, 32)
	if err != nil {
		seen = -1
	}
	decision := Decision{
		State: r.PostForm.Get("decision"), Reason: r.PostForm.Get("reason"), Extra: strings.TrimSpace(r.PostForm.Get(extra)),
		By: p.Email, Version: int(seen), Says: r.PostForm.Get("says"),
	}
	err = q.Decide(r, decision)
	var choice, why string // the problem of each
	problems, overruled := fault.Problems(nil), (*Overruled)(nil)
	switch errors.As(err, &problems); {
	case errors.As(err, &overruled):
		return q.show(w, r, http.StatusConflict, func(v *view.Review) {
			v.Notice = view.AgainstGateway(overruled.Says)
			if v.Decision != nil {
				q.keep(v, decision)
				v.Decision.Says = overruled.Says
			}
		})
	case err == nil && q.ToQueue:
		return web.Redirect(w, r, q.Path)
	case err == nil:
		return web.Redirect(w, r, r.URL.Path)
	case errors.Is(err, review.ErrDecided), problems[""] != "":
		return q.show(w, r, http.StatusConflict, func(v *view.Review) {
			v.Notice = cmp.Or(problems[""], q.Overtaken)
			if v.Decision != nil {
				v.Decision.Reason.Value = decision.Reason
				keepExtra(v.Decision, decision.Extra, "")
			}
		})
	case errors.Is(err, review.ErrNoDecision):
		choice = view.NoDecision
	case errors.Is(err, review.ErrNoReason):
		why = q.NoReason
	case errors.Is(err, review.ErrLongReason):
		why = view.LongReason
	case problems != nil:
	default:
		return err
	}
	return q.show(w, r, http.StatusUnprocessableEntity, func(v *view.Review) {
		if v.Decision != nil {
			q.keep(v, decision)
			keepExtra(v.Decision, decision.Extra, problems[extra])
			v.Decision.Choice.Problem, v.Decision.Reason.Problem = choice, why
		}
	})
}

// keep shows again what was chosen and typed.
func (q Queue) keep(v *view.Review, d Decision) {
	asked := v.Decision.Extra
	v.Decision = view.NewDecision(strconv.Itoa(d.Version), d.State, d.Reason, q.Hint, v.Decision.Choice.Options...)
	v.Decision.Extra, v.Decision.Says = asked, d.Says
	keepExtra(v.Decision, d.Extra, "")
}

// extra is the name of the additional field that a case may have beside the decision and its reason.
const extra = "extra"

// keepExtra shows again what was typed into the extra field, with its problem.
func keepExtra(d *view.Decision, typed, problem string) {
	if d.Extra != nil {
		d.Extra.Value, d.Extra.Problem = typed, problem
	}
}

// show draws a case with its history, and asks for a decision if the case waits for one.
func (q Queue) show(w http.ResponseWriter, r *http.Request, status int, change func(*view.Review)) error {
	c, err := q.Load(r)
	if err != nil {
		return err
	}
	v := view.Review{
		Frame: q.frame(c.Title), URL: q.Path + "/" + c.Path, QueueURL: q.Path, QueueTitle: q.Title, Case: c.Case,
		History: q.history(c.History),
	}
	if v.State.Label == "" {
		v.State = stateOf(q.Kind, c.State)
	}
	options := c.Undo
	if c.State == q.waiting() && len(q.Decisions) > 0 {
		options = q.Decisions
	}
	if len(options) > 0 {
		v.Decision = view.NewDecision(strconv.Itoa(c.Version), "", "", q.Hint, options...)
		v.Decision.Extra, v.Decision.Says = c.Extra, c.Says
	}
	change(&v)
	return web.Render(w, r, status, view.ReviewPage(v))
}
