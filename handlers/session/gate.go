package session

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	view "forecourt/views/account"
	"forecourt/views/ui"
)

type personKey struct{}

func (s *Sessions) withPerson(ctx context.Context, p account.Person) context.Context {
	desk := func(ctx context.Context) ui.Desk {
		if s.Desk == nil {
			return ui.Desk{}
		}
		return s.Desk(ctx, p)
	}
	return ui.WithUser(context.WithValue(ctx, personKey{}, p), p.DisplayName(), desk)
}

// Signed returns who is signed in.
func Signed(r *http.Request) (account.Person, bool) {
	p, ok := r.Context().Value(personKey{}).(account.Person)
	return p, ok
}

// Who returns who is signed in, as the one who acts.
func Who(r *http.Request) shop.Person {
	p, _ := Signed(r)
	return shop.Person{ID: p.ID, Email: p.Email, Proof: p.Proof()}
}

// Require lets signed-in people through. Others see the sign-in screen instead, and come back to the page afterwards. A form that they sent
// with a timed-out session is kept for account.KeptFor, if it may be; see Keep.
func (s *Sessions) Require(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := Signed(r); ok {
			// After signing out, the back button must not show what is behind a sign-in.
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
			return
		}
		s.Answer(s.showGate)(w, r)
	})
}

// Bounded counts a change of whoever is signed in, and refuses it if they made too many.
func (s *Sessions) Bounded(next http.Handler) http.Handler {
	return s.Answer(func(w http.ResponseWriter, r *http.Request) error {
		if p, ok := Signed(r); ok {
			if err := s.Accounts.Change(r.Context(), p); err != nil {
				return err
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// TwoStepPage is the address at which people set up two-step sign-in.
const TwoStepPage = "/account/two-step"

// Secured redirects people who need two-step sign-in, but have not set it up, to the page that does it. Everybody else passes.
func (s *Sessions) Secured(next http.Handler) http.Handler {
	lead := s.Answer(func(w http.ResponseWriter, r *http.Request) error {
		if web.IsCall(r) {
			return &web.APIError{
				Err: fault.New(fault.Forbidden, "two-step sign-in is not set up"), Text: "Set up two-step sign-in first, at " + TwoStepPage + ".",
			}
		}
		return web.Leave(w, r, SetUpURL(r))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p, _ := Signed(r); p.Unsecured {
			lead(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// SetUpURL returns the address of that page, which then leads back to the page of the request.
func SetUpURL(r *http.Request) string {
	if !web.Safe(r.Method) {
		return TwoStepPage
	}
	return TwoStepPage + "?" + url.Values{"to": {r.URL.RequestURI()}}.Encode()
}

// RequireStaff lets staff through; others get the answer for an unknown address.
func (s *Sessions) RequireStaff(next http.Handler) http.Handler {
	return s.Require(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p, _ := Signed(r); p.Staff {
			next.ServeHTTP(w, r)
			return
		}
		s.Note(r, StaffOnly, Who(r).ID.String(), "")
		s.Answer(func(http.ResponseWriter, *http.Request) error { return fault.New(fault.NotFound, "staff only") })(w, r)
	}))
}

func (s *Sessions) showGate(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	if web.IsCall(r) {
		return web.WriteJSON(w, http.StatusUnauthorized, web.Refusal{Error: "Sign in first."})
	}
	m := view.Screen{To: r.URL.RequestURI()}
	status := http.StatusOK
	if !web.Safe(r.Method) {
		status = http.StatusUnauthorized
		kept, err := s.keepEnded(r)
		switch {
		case errors.Is(err, ErrNotKept):
			m.Notice = view.NotSaved
		case err != nil:
			return err
		default:
			m.To, m.Kept = kept.URL(), account.KeptFor
		}
	}
	if _, create := r.URL.Query()["r"]; create { // ADMIN-01
		m.Create = true
	}
	return web.Render(w, r, status, view.Page(m), view.Panel)
}

// Prove returns account.ErrUnproved unless the signed-in person has proved who they are within account.ProofFor: with their password, and
// with a code if they have a second step. Signing in is such a proof. A route that account.Handler.Provable wraps then asks for the proof
// and goes on with the form; elsewhere the answer is 403.
func Prove(r *http.Request) error { return Who(r).Proof.Check() }

// Proved remembers that the person has just proved who they are, and gives the session a new id, so that somebody who copied the old one
// does not profit from the proof.
func (s *Sessions) Proved(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	person, _ := session.Values[personValue].(account.Person)
	session.Values[personValue], session.ID, err = s.Accounts.ProveSession(r.Context(), person, session.ID)
	if err != nil {
		return err
	}
	s.sendCookie(w, session)
	return nil
}
