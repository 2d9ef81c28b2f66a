package account

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/throttle"
)

// EventKind is something that happened to an account. The kinds are stored.
type EventKind string

// The kinds. Those of sign-ins and proofs are written by the queries that open a session and renew it.
const (
	EventSignedIn         EventKind = "signed in"
	EventSignedInCode     EventKind = "signed in with a code"
	EventSignedInRecovery EventKind = "signed in with a recovery code"
	EventProved           EventKind = "confirmed"
	EventWrongPassword    EventKind = "wrong password"
	EventLeftHalf         EventKind = "no code"
	EventWrongCode        EventKind = "wrong code"
	EventPassword         EventKind = "password changed"
	EventPasswordMailed   EventKind = "password set by a mailed link"
	EventPasswordGiven    EventKind = "password given by an operator"
	EventTwoStepOn        EventKind = "two-step sign-in set up"
	EventTwoStepMoved     EventKind = "two-step sign-in moved"
	EventTwoStepOff       EventKind = "two-step sign-in removed"
	EventRecoveryUsed     EventKind = "recovery code used"
	EventRecoveryNew      EventKind = "recovery codes replaced"
	EventSignedInPasskey  EventKind = "signed in with a passkey"
	EventPasskeyAdded     EventKind = "passkey added"
	EventPasskeyRemoved   EventKind = "passkey removed"
	EventPasskeyCopied    EventKind = "passkey refused"
	EventCopied           EventKind = "data copied"
	EventErasing          EventKind = "erasure ordered"
	EventKept             EventKind = "erasure taken back"
	EventStaff            EventKind = "added to the staff" // StaffLapse reads it
	EventStaffOff         EventKind = "removed from the staff"
	EventStaffUnused      EventKind = "unused as staff"
)

// Event is a line of an account's security log, with its EventKind and where it came from; an operator's command comes from nowhere.
type Event = db.AccountEventListRow

// EventsShown is how many lines of the log one page has.
const EventsShown = 50

// Events returns the security log of an account, newest first: EventsShown lines before an id, 0 for the newest. Lines are kept for a year.
func (a *Accounts) Events(ctx context.Context, account uuid.UUID, before int64) ([]Event, error) {
	return a.queries.AccountEventList(ctx, account, before, EventsShown)
}

// failed adds a failure to the log of an account, from an address. Those of an hour and a kind are one line, so that nobody fills the log.
// An account that does not exist takes as long.
func (a *Accounts) failed(ctx context.Context, account uuid.UUID, kind EventKind, from netip.Addr) error {
	ctx = context.WithoutCancel(ctx)
	if account == uuid.Nil {
		unknown := throttle.Limit{Subject: "unknown address", Most: math.MaxInt, Window: time.Hour}
		return a.throttle.Take(ctx, unknown, throttle.Network(from).String())
	}
	return a.queries.AccountEventFold(ctx, account, string(kind), from.String())
}

// judged tells Refused of err, if it refuses a password, a code or a passkey. All that check one call it, so that no caller can forget it.
func (a *Accounts) judged(ctx context.Context, c Credentials, account uuid.UUID, err error) {
	wrong := slices.ContainsFunc([]error{ErrCredentials, ErrCode, ErrPasskey, ErrChallenge, ErrCopied}, func(one error) bool {
		return errors.Is(err, one)
	})
	if account == uuid.Nil {
		account = c.session
	}
	if a.Refused != nil && (wrong || fault.CodeOf(err) == fault.TooMany) {
		a.Refused(ctx, c, account, err)
	}
}

// LeftHalf notes that somebody typed the right password of an account and cannot go on to the second step.
func (a *Accounts) LeftHalf(ctx context.Context, account uuid.UUID, from netip.Addr) error {
	return a.failed(ctx, account, EventLeftHalf, from)
}

// Pseudonym returns what the log has in place of a text that somebody typed, the same for the same text.
func (a *Accounts) Pseudonym(text string) string {
	if text == "" {
		return ""
	}
	return hex.EncodeToString(a.keys.MAC([]byte("security log\x00"), []byte(typed.Email(text)))[:8])
}

// happened adds a line to the log of an account, about what was done in its session, if any.
func happened(ctx context.Context, queries *db.Queries, h Holder, kind EventKind, address string) error {
	return queries.AccountEventAdd(ctx, db.AccountEventAddParams{AccountID: h.ID, Kind: string(kind), Session: h.Session, Address: address})
}

// noted adds a line to the log of an account and to the audit log. by is who did it.
func (a *Accounts) noted(ctx context.Context, tx pgx.Tx, h Holder, by string, kind EventKind) error {
	queries := db.New(tx)
	if err := happened(ctx, queries, h, kind, ""); err != nil {
		return err
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: string(kind), Subject: "account " + h.ID.String()})
}
