package session

import (
	"net/http"

	"github.com/google/uuid"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
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
)

// events lists them all.
var events = []Event{SignInFailed, SignInHalf, Limited, ProofFailed, TokenRefused, RoleRefused, StaffOnly}

// Note notes an event of a request: who it is about, an account or a hash of what was typed, or "" for nobody in particular; and the shop,
// if any.
func (s *Sessions) Note(r *http.Request, e Event, who, shop string) {
	if s.Count != nil {
		s.Count(string(e))
	}
	if !s.lines[e].Allow() {
		return // the metric has it
	}
	web.Log(r, s.Log).WarnContext(r.Context(), "security event", "event", string(e), "who", who, "shop", shop,
		"network", throttle.Network(s.Proxies.Client(r)).String())
}

// NoteRefusal notes that a sign-in, a proof or a token was refused for an error, unless that is a fault of ours; typed is what names the
// account, if account is zero.
func (s *Sessions) NoteRefusal(r *http.Request, e Event, account uuid.UUID, typed string, err error) {
	switch fault.CodeOf(err) {
	case fault.Internal:
		return // a fault of ours refuses nobody
	case fault.TooMany:
		e = Limited
	}
	who := account.String()
	if account == uuid.Nil {
		who = s.Accounts.Pseudonym(typed)
	}
	s.Note(r, e, who, "")
}
