package staff

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/review"
	view "forecourt/views/staff"
)

// ShowCase answers GET on the path of a case.
func (d Desk) ShowCase(w http.ResponseWriter, r *http.Request) error {
	return d.show(w, r, http.StatusOK, func(*view.Review) {})
}

// DecideCase answers POST on the path of a case, a decision on the version that was shown. If the decision is not recorded, it is shown
// again with the reason, beside the case as it stands now.
func (d Desk) DecideCase(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	p, _ := web.Signed(r)
	seen, err := strconv.ParseInt(r.PostForm.Get("seen"), 10, 32)
	if err != nil {
		seen = -1
	}
	said := Decision{State: r.PostForm.Get("decision"), Reason: r.PostForm.Get("reason"), Extra: strings.TrimSpace(r.PostForm.Get(extra)), By: p.Email, Version: int(seen)}
	err = d.Decide(r, said)
	var choice, why string // the problem of each
	refused, wrong := Refusal(""), Problem("")
	switch {
	case err == nil && d.ToQueue:
		return web.Redirect(w, r, d.Path)
	case err == nil:
		return web.Redirect(w, r, r.URL.Path)
	case errors.Is(err, review.ErrDecided), errors.As(err, &refused):
		return d.show(w, r, http.StatusConflict, func(v *view.Review) {
			v.Notice = cmp.Or(string(refused), d.Overtaken)
			if v.Decision != nil {
				v.Decision.Reason.Value = said.Reason
				keepExtra(v.Decision, said.Extra, "")
			}
		})
	case errors.Is(err, review.ErrNoDecision):
		choice = view.NoDecision
	case errors.Is(err, review.ErrNoReason):
		why = d.NoReason
	case errors.Is(err, review.ErrLongReason):
		why = view.LongReason
	case errors.As(err, &wrong):
	default:
		return err
	}
	return d.show(w, r, http.StatusUnprocessableEntity, func(v *view.Review) {
		if v.Decision != nil {
			asked := v.Decision.Extra
			v.Decision = view.NewDecision(strconv.Itoa(said.Version), said.State, said.Reason, d.Hint, v.Decision.Choice.Options...)
			v.Decision.Extra = asked
			keepExtra(v.Decision, said.Extra, string(wrong))
			v.Decision.Choice.Problem, v.Decision.Reason.Problem = choice, why
		}
	})
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
func (d Desk) show(w http.ResponseWriter, r *http.Request, status int, change func(*view.Review)) error {
	c, err := d.Load(r)
	if err != nil {
		return err
	}
	v := view.Review{
		Frame: d.frame(c.Title), URL: d.Path + "/" + c.Path, QueueURL: d.Path, QueueTitle: d.Title, Case: c.Case,
		History: d.history(c.History),
	}
	if v.State.Label == "" {
		v.State = stateOf(d.Kind, c.State)
	}
	options := c.Undo
	if c.State == d.waiting() && len(d.Decisions) > 0 {
		options = slices.Concat(d.Decisions, c.Decisions)
	}
	if len(options) > 0 {
		v.Decision = view.NewDecision(strconv.Itoa(c.Version), "", "", d.Hint, options...)
		v.Decision.Extra = c.Extra
	}
	change(&v)
	return web.Render(w, r, status, view.ReviewPage(v))
}
