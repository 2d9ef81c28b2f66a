package merchant

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	view "forecourt/views/merchant"
)

// These are the steps other than the questions, as the address names them.
const (
	welcomeStep = "welcome"
	offerStep   = "products"
)

// showStep shows a step toward a merchant: the requested one if those before it are done, or else the next open one. another says that the
// person already has a merchant.
func (h *Handler) showStep(w http.ResponseWriter, r *http.Request, person account.Person, another bool) error {
	query := r.URL.Query()
	if query.Has("s") {
		if err := h.merchants.Preselect(r.Context(), person.ID, merchant.Preselected(query.Get("s"))); err != nil {
			return err
		}
	}
	draft, _, err := h.merchants.Draft(r.Context(), person.ID)
	if err != nil {
		return err
	}
	open := stepsOf(draft)
	asked := query.Get("step")
	switch {
	case asked == "":
		asked = open[len(open)-1]
	case !slices.Contains(open, asked):
		return web.Redirect(w, r, h.frame(r, "").Address("step", open[len(open)-1]))
	}
	names := draft.Names
	if !draft.Named() {
		told, err := h.people.Of(r.Context(), person.ID)
		if err != nil {
			return err
		}
		names = merchant.Names{First: told.First, Last: told.Last}
		if !another {
			names.Business = told.Business.TradingName
		}
	}
	return h.renderStep(w, r, http.StatusOK, step{name: asked, draft: draft, person: person, names: names})
}

// stepsOf lists the finished steps and the next one.
func stepsOf(d merchant.Draft) []string {
	open := []string{welcomeStep}
	if !d.Named() {
		return open
	}
	path, done := d.Answers.Path()
	for _, question := range path {
		open = append(open, string(question))
	}
	if done {
		open = append(open, offerStep)
	}
	return open
}

// step is a step as the page shows it, with the typed values and their problems.
type step struct {
	name     string
	draft    merchant.Draft
	person   account.Person
	names    merchant.Names // as typed
	problems fault.Problems // of the names
	picked   url.Values     // ticks as posted; nil for those recommended
	problem  string
}

func (h *Handler) renderStep(w http.ResponseWriter, r *http.Request, status int, s step) error {
	f := h.frame(r, "")
	f.Info = info(s.draft, s.person)
	open := stepsOf(s.draft)
	back := f.Address("step", open[max(0, slices.Index(open, s.name)-1)])
	switch s.name {
	case welcomeStep:
		f.Title = "Welcome"
		return web.Render(w, r, status, view.WelcomePage(f, s.names, s.problems))
	case offerStep:
		f.Title = "What we recommend"
		return web.Render(w, r, status, view.OfferPage(view.Offer{
			Frame: f, Back: back, Action: f.Address("step", offerStep), Name: s.draft.Names.Business, Problem: s.problem,
			Products: options(s.draft.Answers.Recommended(s.draft.Preselected), s.draft.Preselected, s.picked),
		}))
	default:
		question := merchant.Question(s.name)
		f.Title = "A few questions"
		return web.Render(w, r, status, view.AskPage(view.Ask{
			Frame: f, Back: back, Question: question, Answer: s.draft.Answers[question], Problem: s.problem,
		}))
	}
}

// Save answers POST /merchant/admin and saves one step at once.
func (h *Handler) Save(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	draft, _, err := h.merchants.Draft(r.Context(), person.ID)
	if err != nil {
		return err
	}
	s := step{name: r.URL.Query().Get("step"), draft: draft, person: person, names: draft.Names}
	switch {
	case s.name == welcomeStep || s.name == "":
		s.name, s.names = welcomeStep, readNames(r.PostForm)
		err = h.merchants.SaveNames(r.Context(), person.ID, s.names)
	case s.name == offerStep:
		return h.submit(w, r, s)
	case draft.Named():
		s.problem = view.ChooseAnswer
		err = h.merchants.SaveAnswer(r.Context(), person.ID, merchant.Question(s.name), r.PostForm.Get("answer"))
	default:
		err = merchant.ErrNoDraft
	}
	switch {
	case errors.As(err, &s.problems), errors.Is(err, merchant.ErrAnswer) && merchant.Question(s.name).Choices() != nil:
		return h.renderStep(w, r, http.StatusUnprocessableEntity, s)
	case errors.Is(err, merchant.ErrNoDraft):
		return web.Redirect(w, r, h.frame(r, "").Address())
	case err != nil:
		return err
	}
	return h.next(w, r, s)
}

// next leads to the step after the one that was saved.
func (h *Handler) next(w http.ResponseWriter, r *http.Request, s step) error {
	draft, _, err := h.merchants.Draft(r.Context(), s.person.ID)
	if err != nil {
		return err
	}
	open := stepsOf(draft)
	after := open[min(slices.Index(open, s.name)+1, len(open)-1)]
	return web.Redirect(w, r, h.frame(r, "").Address("step", after))
}

// submit makes the merchant (ADMIN-25). If the form is sent twice, the second request leads to the merchant that the first one made.
func (h *Handler) submit(w http.ResponseWriter, r *http.Request, s step) error {
	f := h.frame(r, "")
	if !slices.Contains(stepsOf(s.draft), offerStep) {
		return web.Redirect(w, r, f.Address())
	}
	products, err := chosen(r.PostForm)
	if err != nil {
		s.picked, s.problem = r.PostForm, view.ChooseProduct
		return h.renderStep(w, r, http.StatusUnprocessableEntity, s)
	}
	if err := h.nameAccount(r.Context(), s); err != nil {
		return err
	}
	one, err := h.merchants.Submit(r.Context(), session.Who(r), products)
	if errors.Is(err, merchant.ErrNoDraft) {
		return web.Redirect(w, r, f.Address())
	}
	if wait := (*throttle.Error)(nil); errors.As(err, &wait) {
		s.picked, s.problem = r.PostForm, view.TooManyMade(merchant.PerDay)
		return h.renderStep(w, r, http.StatusTooManyRequests, s)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, f.Address("m", one.UUID.String()))
}

// nameAccount gives an account without a name the one from the first step, so that its team, its books and its emails name the person and
// not the address. Two names that are too long together leave it without.
func (h *Handler) nameAccount(ctx context.Context, s step) error {
	if s.person.Name != "" {
		return nil
	}
	names := s.draft.Names.Trim()
	err := h.accounts.Accounts.SetName(ctx, s.person.ID, names.First+" "+names.Last)
	if errors.As(err, new(fault.Problems)) {
		return nil
	}
	return err
}

func readNames(form url.Values) merchant.Names {
	return merchant.Names{First: form.Get("firstName"), Last: form.Get("lastName"), Business: form.Get("name")}
}

// info returns what the browser stores under "info" (ADMIN-13, ADMIN-40).
func info(d merchant.Draft, person account.Person) *view.Info {
	answers := map[string]string{}
	for question, answer := range d.Answers {
		answers[string(question)] = answer
	}
	return &view.Info{
		FirstName: d.Names.First, LastName: d.Names.Last, Name: d.Names.Business, ShortCode: merchant.ShortCode(d.Names.Business),
		Email: person.Email, Products: d.Answers.Recommended(d.Preselected), Answers: answers, SignIn: true, BasicInfoDone: d.Named(),
	}
}
