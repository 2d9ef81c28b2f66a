package account

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// These are the lifetimes of a session: unused, and in all.
const (
	SessionIdle = 30 * time.Minute // how long an unused sign-in lasts
	StaffIdle   = 15 * time.Minute // the same of staff
	SessionMax  = 12 * time.Hour   // how long a sign-in lasts at most
)

// Person is a signed-in person.
type Person struct {
	ID          uuid.UUID
	Email, Name string // Name may be empty
	Staff       bool
	Verified    bool      // may do what needs a verified address
	Unsecured   bool      // needs two-step sign-in but has not set it up
	Session     uuid.UUID // the handle of this session
	proof       Proof
}

// Proof returns the proof that the session holds, or zero.
func (p Person) Proof() Proof { return p.proof }

// DisplayName returns the name or, if it is empty, the email (NAV-02).
func (p Person) DisplayName() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Session is a row of sessions. The database has the hash of the token by which a browser names it.
type Session struct {
	Person
	Marks    []string // see MarkSession
	TimedOut bool     // it signs nobody in
}

// FindSession returns a session, whose use this is; ok is false if there is none.
func (a *Accounts) FindSession(ctx context.Context, token string) (s Session, ok bool, err error) {
	row, err := a.queries.SessionGet(ctx, db.SessionGetParams{
		ProofSeconds: ProofFor.Seconds(), StaffSeconds: StaffIdle.Seconds(), IdleSeconds: SessionIdle.Seconds(), MaxSeconds: SessionMax.Seconds(),
		IDHash: hashToken(token),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Session{}, false, nil
	}
	if err == nil && row.Stale && !row.Over {
		err = a.queries.SessionTouch(ctx, hashToken(token))
	}
	return Session{Marks: row.Marks, TimedOut: row.Over, Person: Person{
		ID: row.AccountID, Email: row.Email, Name: row.Name, Staff: row.Staff, Verified: row.Verified || a.rule.Waived, proof: Proof{row.Proved},
		Unsecured: row.Unsecured && !a.rule.PasswordAlone, Session: row.Handle,
	}}, err == nil, err
}

// BeginSession begins the session p.Session of a person and returns its token. by is the factor that was proved beside the password;
// without one, the session does not count if the account has a second step. agent is the browser's User-Agent.
func (a *Accounts) BeginSession(ctx context.Context, p Person, by Factor, from netip.Addr, agent string) (token string, err error) {
	agent = card.Redact(typed.OneLine(agent, 400))
	token = newToken()
	return token, a.queries.SessionAdd(ctx, db.SessionAddParams{
		IDHash: hashToken(token), Handle: p.Session, AccountID: p.ID, Address: from.String(), Agent: agent, Factor: string(by),
	})
}

// EndSession ends a session and reports whether there was one.
func (a *Accounts) EndSession(ctx context.Context, token string) (bool, error) {
	rows, err := a.queries.SessionEnd(ctx, hashToken(token))
	return rows > 0, err
}

// MarkSession remembers something until the session ends.
func (a *Accounts) MarkSession(ctx context.Context, token, mark string) error {
	return a.queries.SessionMark(ctx, mark, hashToken(token))
}

// TouchSession counts an open page as use of a session, and returns when the session ends in any case: the zero time if it has ended.
func (a *Accounts) TouchSession(ctx context.Context, token string) (time.Time, error) {
	ends, err := a.queries.SessionEnds(ctx, db.SessionEndsParams{
		IDHash: hashToken(token), StaffSeconds: StaffIdle.Seconds(), IdleSeconds: SessionIdle.Seconds(), MaxSeconds: SessionMax.Seconds(),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return ends, a.queries.SessionTouch(ctx, hashToken(token))
}

// ProveSession remembers that the person of a session has just proved who they are. It returns them with the proof, and the session's new
// token: somebody who copied the old one does not profit from the proof. The error is ErrUnproved if the session has ended.
func (a *Accounts) ProveSession(ctx context.Context, p Person, old string) (proved Person, token string, err error) {
	token = newToken()
	rows, err := a.queries.SessionProve(ctx, hashToken(token), hashToken(old))
	if err == nil && rows == 0 {
		err = ErrUnproved
	}
	p.proof.holds = err == nil
	return p, token, err
}

// Device is a signed-in browser: its handle identifies it to its owner. SeenAt may lag by a minute.
type Device = db.SessionListByAccountRow

// Devices lists where a person is signed in, last used first.
func (a *Accounts) Devices(ctx context.Context, person uuid.UUID) ([]Device, error) {
	return a.queries.SessionListByAccount(ctx, db.SessionListByAccountParams{
		AccountID: person, StaffSeconds: StaffIdle.Seconds(), IdleSeconds: SessionIdle.Seconds(), MaxSeconds: SessionMax.Seconds(),
	})
}

// EndDevice signs a person out of one browser. For another person's handle it returns fault.NotFound, as for one that never existed.
func (a *Accounts) EndDevice(ctx context.Context, person, handle uuid.UUID) error {
	rows, err := a.queries.SessionEndOwn(ctx, handle, person)
	if err == nil && rows == 0 {
		err = fault.New(fault.NotFound, "no such session")
	}
	return err
}

// Screen is a kitchen screen that a person connected: it works without them.
type Screen = db.ScreenListOfRow

// Screens lists the kitchen screens that a person connected.
func (a *Accounts) Screens(ctx context.Context, person uuid.UUID) ([]Screen, error) {
	return a.queries.ScreenListOf(ctx, person)
}

// EndScreens disconnects them: somebody who had the person's password may have connected one.
func (a *Accounts) EndScreens(ctx context.Context, person uuid.UUID) error {
	return a.queries.ScreenEndOf(ctx, person)
}

// EndDevices signs a person out everywhere.
func (a *Accounts) EndDevices(ctx context.Context, person uuid.UUID) error {
	_, err := a.queries.SessionEndAll(ctx, person, uuid.Nil)
	return err
}
