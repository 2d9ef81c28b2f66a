package staff

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
)

// unseen is the Version of a decision on a case as it is now.
const unseen = -1

// ShowCase answers GET on the path of a case.
func (q Queue) ShowCase(w http.ResponseWriter, r *http.Request) error {
	return q.show(w, r, http.StatusOK, "", Decision{Decision: review.Decision[string]{Version: unseen}}, nil)
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
		seen = unseen
	}
	d := Decision{
		review.Decision[string]{State: r.PostForm.Get("decision"), Reason: r.PostForm.Get("reason"), By: p.Email, Version: int(seen)},
		r.PostForm.Get(extra), r.PostForm.Get("says"),
	}
	err = q.Decide(r, d)
	problems, overruled := fault.Problems(nil), (*Overruled)(nil)
	switch errors.As(err, &problems); {
	case errors.As(err, &overruled):
		d.Says = overruled.Says
		return q.show(w, r, http.StatusConflict, view.AgainstGateway(overruled.Says), d, nil)
	case err == nil && q.ToQueue:
		return web.Redirect(w, r, q.Path)
	case err == nil:
		return web.Redirect(w, r, r.URL.Path)
	case errors.Is(err, review.ErrDecided), problems[""] != "":
		d.State, d.Version = "", unseen
		return q.show(w, r, http.StatusConflict, cmp.Or(problems[""], q.Overtaken+overtaken), d, nil)
	case problems == nil:
		return err
	}
	return q.show(w, r, http.StatusUnprocessableEntity, "", d, problems)
}

// overtaken ends the sentence that begins with a kind's Overtaken.
const overtaken = ", while you looked at it. Your decision was not recorded. This is its state now."

// extra is the name of the additional field that a case may have beside the decision and its reason.
const extra = "extra"

// show draws a case with its history, and asks for a decision if the case waits for one. The form has what was typed, with its problems.
func (q Queue) show(w http.ResponseWriter, r *http.Request, status int, notice string, typed Decision, problems fault.Problems) error {
	c, err := q.Load(r)
	if err != nil {
		return err
	}
	v := view.Review{
		Frame: q.frame(c.Title), URL: q.Path + "/" + c.Path, QueueURL: q.Path, QueueTitle: q.Title, Case: c.Case,
		History: q.history(c.History), Notice: notice,
	}
	if v.State.Label == "" {
		v.State = stateOf(q.Kind, c.State)
	}
	options := c.Undo
	if c.State == q.waiting() && len(q.Decisions) > 0 {
		options = q.Decisions
	}
	if len(options) > 0 {
		if typed.Version == unseen {
			typed.Version, typed.Says = c.Version, c.Says
		}
		v.Decision = view.NewDecision(strconv.Itoa(typed.Version), typed.State, typed.Reason, q.Hint, options...)
		v.Decision.Choice.Problem, v.Decision.Reason.Problem = problems["decision"], problems["reason"]
		v.Decision.Extra, v.Decision.Says = c.Extra, typed.Says
		if c.Extra != nil {
			c.Extra.Value, c.Extra.Problem = typed.Extra, problems[extra]
		}
	}
	return web.Render(w, r, status, view.ReviewPage(v))
}
