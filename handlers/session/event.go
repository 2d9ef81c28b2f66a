package session

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
)

// Event is something that an operator who looks for an attack counts and searches for: in the log, and as a metric.
type Event string

// The events.
const (
	SignInFailed Event = "sign-in failed"
	SignInHalf   Event = "sign-in half done" // the password was right, and a second step is missing
	Limited      Event = "limited"           // a limit refused a sign-in, a proof or a token
	ProofFailed  Event = "proof failed"
	TokenRefused Event = "token refused"
	RoleRefused  Event = "role refused"
	StaffOnly    Event = "staff refused"
	// RecordRefused is a signed-in person's request for a business, a record or a payment that is another's, or that does not exist.
	RecordRefused Event = "record refused"
)

// events lists them all.
var events = []Event{SignInFailed, SignInHalf, Limited, ProofFailed, TokenRefused, RoleRefused, StaffOnly, RecordRefused}

// Note notes an event of a request: who it is about, an account or a hash of what was typed, or "" for nobody in particular; and the shop,
// if any.
func (s *Sessions) Note(r *http.Request, e Event, who, shop string) {
	s.note(r.Context(), s.Proxies.Client(r), e, who, shop)
}

func (s *Sessions) note(ctx context.Context, from netip.Addr, e Event, who, shop string) {
	if s.Count != nil {
		s.Count(string(e))
	}
	if !s.lines[e].Allow() {
		return // the metric has it
	}
	web.LogOf(ctx, s.Log).WarnContext(ctx, "security event", "event", string(e), "who", who, "shop", shop,
		"network", throttle.Network(from).String())
}

// NoteToken notes that a token was refused for an error; typed is what names it.
func (s *Sessions) NoteToken(r *http.Request, typed string, err error) {
	s.Note(r, unlessLimited(TokenRefused, err), s.Accounts.Pseudonym(typed), "")
}

// refused notes what account.Accounts.Refused says.
func (s *Sessions) refused(ctx context.Context, c account.Credentials, of uuid.UUID, err error) {
	e, who := SignInFailed, of.String()
	if c.Signed() {
		e = ProofFailed
	}
	if of == uuid.Nil {
		who = s.Accounts.Pseudonym(c.Email)
	}
	s.note(ctx, c.From, unlessLimited(e, err), who, "")
}

func unlessLimited(e Event, err error) Event {
	if fault.CodeOf(err) == fault.TooMany {
		return Limited
	}
	return e
}

// Traced notes whoever asks for what is not theirs: the answer is that for an unknown address.
func (s *Sessions) Traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(seen, r)
		if p, signed := Signed(r); signed && seen.Status() == http.StatusNotFound {
			s.Note(r, RecordRefused, p.ID.String(), "")
		}
	})
}
