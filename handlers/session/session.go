// Package session knows who sends a request: a signed-in person, a member of a shop's team, or a guest's browser, each by a cookie. The rows
// of sessions are in internal/people/account.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/sessions"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

// These are the lifetimes of a session: unused, and in all.
const (
	SessionIdle = 30 * time.Minute // how long an unused sign-in lasts
	SessionMax  = 12 * time.Hour   // how long a sign-in lasts at most
)

// Person is a signed-in person.
type Person struct {
	ID          uuid.UUID
	Email, Name string // Name may be empty
	Staff       bool
	Verified    bool      // may do what needs a verified address
	Unsecured   bool      // needs two-step sign-in but has not set it up
	Proved      bool      // proved who they are within account.ProofFor
	Session     uuid.UUID // the handle of this session
}

// DisplayName returns the name or, if it is empty, the email (NAV-02).
func (p Person) DisplayName() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Sessions implements gorilla's Store on PostgreSQL: a cookie holds a random id, whose hash is the key of a row.
type Sessions struct {
	queries *db.Queries
	cookie  string
	https   bool
	proxies web.Proxies
	box     *secret.Box // seals what waits; see Kept
	rule    account.Verification
	*web.Responder

	// Changed, if not nil, is called after each sign-in and sign-out is stored.
	Changed func(ctx context.Context, account uuid.UUID, signedIn bool)
}

// SessionConfig configures sessions.
type Config struct {
	Queries *db.Queries
	HTTPS   bool // whether the public address is https
	Proxies web.Proxies
	Box     *secret.Box // seals what waits; see Kept
	// Verification says what needs a verified address.
	Verification account.Verification
	*web.Responder
}

// NewSessions keeps sessions in the database.
func New(c Config) *Sessions {
	return &Sessions{
		queries: c.Queries, cookie: web.CookieName(c.HTTPS, "forecourt"), https: c.HTTPS, proxies: c.Proxies, box: c.Box,
		rule: c.Verification, Responder: c.Responder,
	}
}

// These are the keys of a gorilla session's Values.
const (
	personValue = "person" // Person
	factorValue = "factor" // account.Factor, of a session that begins
	marksValue  = "marks"  // []string
	overValue   = "over"   // uuid.UUID of the account whose session timed out
)

// Get implements sessions.Store.
func (s *Sessions) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New implements sessions.Store: the session that the request's cookie names, or an empty one.
func (s *Sessions) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", Secure: s.https, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	cookie, err := r.Cookie(name)
	if err != nil {
		return session, nil //nolint:nilerr // no cookie, no session
	}
	row, err := s.queries.SessionGet(r.Context(), db.SessionGetParams{
		ProofSeconds: account.ProofFor.Seconds(), IdleSeconds: SessionIdle.Seconds(),
		MaxSeconds: SessionMax.Seconds(), IDHash: hashID(cookie.Value),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return session, nil
	}
	if err != nil {
		return session, err
	}
	if row.Over {
		session.Values[overValue] = row.AccountID
		return session, nil
	}
	session.ID, session.IsNew = cookie.Value, false
	session.Values[personValue] = Person{
		ID: row.AccountID, Email: row.Email, Name: row.Name, Staff: row.Staff, Verified: row.Verified || s.rule.Waived, Proved: row.Proved,
		Unsecured: row.Unsecured && !s.rule.PasswordAlone, Session: row.Handle,
	}
	session.Values[marksValue] = row.Marks
	if row.Stale {
		return session, s.queries.SessionTouch(r.Context(), hashID(cookie.Value))
	}
	return session, nil
}

// Save implements sessions.Store. A session without an id gets a row and a cookie; one with a negative MaxAge loses both.
func (s *Sessions) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		if _, err := s.queries.SessionEnd(r.Context(), hashID(session.ID)); err != nil {
			return err
		}
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		return nil
	}
	person, signed := session.Values[personValue].(Person)
	if !signed || session.ID != "" {
		return nil
	}
	session.ID = newID()
	agent := printable.MakeLine(r.UserAgent(), 400)
	if card.HoldsCard(agent) {
		agent = ""
	}
	by, _ := session.Values[factorValue].(account.Factor)
	err := s.queries.SessionAdd(r.Context(), db.SessionAddParams{
		IDHash: hashID(session.ID), Handle: person.Session, AccountID: person.ID, Address: s.proxies.Client(r).String(), Agent: agent,
		Factor: string(by),
	})
	if err != nil {
		return err
	}
	s.sendCookie(w, session)
	return nil
}

func (s *Sessions) sendCookie(w http.ResponseWriter, session *sessions.Session) {
	http.SetCookie(w, sessions.NewCookie(session.Name(), session.ID, session.Options))
}

// SignIn starts a session for a person whose password was right. by is the factor that was proved beside it; without one, the session does
// not count if the account has a second step. A session that the browser had ends, because somebody else may know its id.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, person Person, by account.Factor) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	if session.ID != "" {
		if _, err := s.queries.SessionEnd(r.Context(), hashID(session.ID)); err != nil {
			return err
		}
	}
	person.Session = uuid.New()
	session.ID = ""
	session.Values = map[any]any{personValue: person, factorValue: by}
	if err := session.Save(r, w); err != nil {
		return err
	}
	s.changed(r, person, true)
	return nil
}

func (s *Sessions) changed(r *http.Request, person Person, signedIn bool) {
	if s.Changed != nil {
		s.Changed(r.Context(), person.ID, signedIn)
	}
}

// SignOut ends the session.
func (s *Sessions) SignOut(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	if err := session.Save(r, w); err != nil {
		return err
	}
	if err := s.endNotices(w, r); err != nil {
		return err
	}
	if person, signed := session.Values[personValue].(Person); signed {
		s.changed(r, person, false)
	}
	return nil
}

// Mark remembers something until the session ends.
func (s *Sessions) Mark(r *http.Request, mark string) error {
	session, err := s.Get(r, s.cookie)
	if err != nil || session.ID == "" || s.Marked(r, mark) {
		return err
	}
	return s.queries.SessionMark(r.Context(), mark, hashID(session.ID))
}

// Marked reports whether Mark was called in this session.
func (s *Sessions) Marked(r *http.Request, mark string) bool {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return false
	}
	marks, _ := session.Values[marksValue].([]string)
	return slices.Contains(marks, mark)
}

// Load finds out who sends a request, for Signed. Without a cookie it costs nothing. A write with a cookie has to say that it comes from
// this site.
func (s *Sessions) Load(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie(s.cookie); err != nil {
			next.ServeHTTP(w, r)
			return
		}
		s.Answer(func(w http.ResponseWriter, r *http.Request) error {
			if !web.Safe(r.Method) && !web.FromPage(r) {
				return fault.New(fault.Forbidden, "a write with a cookie and without an origin")
			}
			session, err := s.Get(r, s.cookie)
			if err != nil {
				return err
			}
			if person, ok := session.Values[personValue].(Person); ok {
				r = r.WithContext(withPerson(r.Context(), person))
			}
			next.ServeHTTP(w, r)
			return nil
		})(w, r)
	})
}

// newID returns a new session id of 256 random bits.
func newID() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

func hashID(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}
