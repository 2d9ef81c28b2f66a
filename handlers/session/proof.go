package session

import (
	"net/http"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
)

// ErrUnproved means that the person has to prove again who they are. A route that account.Handler.Provable wraps then asks for the proof
// and goes on with the form; elsewhere the answer is 403.
var ErrUnproved = fault.New(fault.Forbidden, "the last proof of who it is is older than %s", clock.Spelled(account.ProofFor))

// Prove returns ErrUnproved unless the signed-in person has proved who they are within account.ProofFor: with their password, and with
// a code if they have a second step. Signing in is such a proof. Call Prove before changing anything.
func Prove(r *http.Request) error {
	if p, ok := Signed(r); ok && p.Proved {
		return nil
	}
	return ErrUnproved
}

// Proved remembers that the person has just proved who they are, and gives the session a new id, so that somebody who copied the old one
// does not profit from the proof.
func (s *Sessions) Proved(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	token, ok, err := s.Accounts.ProveSession(r.Context(), session.ID)
	if err != nil {
		return err
	}
	if !ok {
		return ErrUnproved // it has ended meanwhile
	}
	session.ID = token
	s.sendCookie(w, session)
	return nil
}
