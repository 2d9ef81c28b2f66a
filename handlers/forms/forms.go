// Package forms serves the merchant forms.
package forms

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/account"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/shop/shop"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

// Handler serves /form/{id} and the addresses below it.
type Handler struct {
	forms    *form.Forms
	sessions *session.Sessions
	accounts *account.Handler
	people   *form.People
}

// New returns a Handler for the people whom sessions signs in. accounts asks them to verify their addresses; people knows what they have
// entered before.
func New(forms *form.Forms, sessions *session.Sessions, accounts *account.Handler, people *form.People) *Handler {
	return &Handler{forms: forms, sessions: sessions, accounts: accounts, people: people}
}

// Known answers for a form or a step that does not exist (FORM-20, ROUTE-16), signed in or not.
func Known(s *web.Responder) func(http.Handler) http.Handler {
	oops := s.Page(func(w http.ResponseWriter, r *http.Request) error {
		return web.Render(w, r, http.StatusNotFound, view.OopsPage(ui.Site{Title: "No such step"}))
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			kind, number := form.Kind(chi.URLParam(r, "id")), chi.URLParam(r, "step")
			if _, ok := kind.Number(number); !kind.Known() || number != "" && !ok {
				oops(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// visit is a form opened by a person.
type visit struct {
	owner shop.Person
	kind  form.Kind
	*form.Form
}

// open reads the form of an address for the person who is signed in.
func (h *Handler) open(r *http.Request) (visit, error) {
	v := h.person(r)
	var err error
	v.Form, err = h.forms.Get(r.Context(), v.owner, v.kind)
	return v, err
}

// answer returns the stored answer to a step. A step that was never answered begins with what we know about the person.
func (h *Handler) answer(r *http.Request, v visit, number int) (form.Step, error) {
	step := v.Step(number)
	if number < v.Reached {
		return step, nil
	}
	person, err := h.people.Of(r.Context(), v.owner.ID)
	if err == nil {
		person.Fill(step, v.Data.Contacts)
	}
	return step, err
}

// person returns a visit of the signed-in person to the form of the address, without reading it.
func (h *Handler) person(r *http.Request) visit {
	return visit{owner: session.Who(r), kind: form.Kind(chi.URLParam(r, "id"))}
}

// path returns the address of a step, or of the check that follows the last step.
func (v visit) path(number int) string { return view.StepURL(v.kind, number) }

// done returns the address of the last step.
func (v visit) done() string {
	return "/form/" + string(v.kind) + "/" + strconv.Itoa(len(v.kind.Asking()))
}

// place returns what a page of the form with an address shares with the others.
func (v visit) place(address string) view.Place { return view.Place{Form: v.Form, URL: address} }

// mark returns the mark by which a session remembers that its person pressed "Let's go!" (FORM-06).
func (v visit) mark() string { return "form " + string(v.kind) }
