// Package session knows who sends a request: a signed-in person, a member of a shop's team, or a guest's browser, each by a cookie. The
// rows of sessions are in internal/people/account.
package session

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/sessions"
	"golang.org/x/time/rate"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	"forecourt/views/ui"
)

// Sessions implements gorilla's Store on internal/people/account: a cookie holds the token of a session.
type Sessions struct {
	Config
	cookie string
	lines  map[Event]*rate.Limiter // of the log

	// Changed, if not nil, is called after each sign-in and sign-out is stored.
	Changed func(ctx context.Context, account uuid.UUID, signedIn bool)
	// Desk, if not nil, returns the frame of the pages about a person.
	Desk func(context.Context, account.Person) ui.Desk
}

// Config configures sessions.
type Config struct {
	Accounts *account.Accounts
	HTTPS    bool // whether the public address is https
	Proxies  web.Proxies
	// EndNotices ends the notices that a browser shows, by the key of its push registration.
	EndNotices func(ctx context.Context, key string) error
	// Log gets the security events, and Count counts them; it may be nil.
	Log   *slog.Logger
	Count func(event string)
	*web.Responder
}

// New keeps sessions in the database.
func New(c Config) *Sessions {
	s := &Sessions{Config: c, cookie: web.CookieName(c.HTTPS, sessionCookie), lines: map[Event]*rate.Limiter{}}
	for _, e := range events {
		s.lines[e] = web.LogLines()
	}
	c.Accounts.Refused = s.refused
	return s
}

// These are the keys of a gorilla session's Values.
const (
	personValue = "person" // account.Person
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
	session.Options = &sessions.Options{Path: "/", Secure: s.HTTPS, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	cookie, err := r.Cookie(name)
	if err != nil {
		return session, nil //nolint:nilerr // no cookie, no session
	}
	row, ok, err := s.Accounts.FindSession(r.Context(), cookie.Value)
	switch {
	case err != nil || !ok:
		return session, err
	case row.TimedOut:
		session.Values[overValue] = row.ID
		return session, nil
	}
	session.ID, session.IsNew = cookie.Value, false
	session.Values[personValue], session.Values[marksValue] = row.Person, row.Marks
	return session, nil
}

// Save implements sessions.Store. A session without an id gets a row and a cookie; one with a negative MaxAge loses both.
func (s *Sessions) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		if _, err := s.Accounts.EndSession(r.Context(), session.ID); err != nil {
			return err
		}
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		return nil
	}
	person, signed := session.Values[personValue].(account.Person)
	if !signed || session.ID != "" {
		return nil
	}
	by, _ := session.Values[factorValue].(account.Factor)
	token, err := s.Accounts.BeginSession(r.Context(), person, by, s.Proxies.Client(r), r.UserAgent())
	if err != nil {
		return err
	}
	session.ID = token
	s.sendCookie(w, session)
	return nil
}

func (s *Sessions) sendCookie(w http.ResponseWriter, session *sessions.Session) {
	http.SetCookie(w, sessions.NewCookie(session.Name(), session.ID, session.Options))
}

// SignIn starts a session for a person whose password was right. by is the factor that was proved beside it; without one, the session does
// not count if the account has a second step. A session that the browser had ends, because somebody else may know its id.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, person account.Person, by account.Factor) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	if session.ID != "" {
		if _, err := s.Accounts.EndSession(r.Context(), session.ID); err != nil {
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

func (s *Sessions) changed(r *http.Request, person account.Person, signedIn bool) {
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
	if person, signed := session.Values[personValue].(account.Person); signed {
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
	return s.Accounts.MarkSession(r.Context(), session.ID, mark)
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
			if person, ok := session.Values[personValue].(account.Person); ok {
				r = r.WithContext(s.withPerson(r.Context(), person))
			}
			next.ServeHTTP(w, r)
			return nil
		})(w, r)
	})
}

// Touch keeps a session alive while a page is open and returns its absolute expiry, the zero time if it has ended.
func (s *Sessions) Touch(r *http.Request) (time.Time, error) {
	cookie, err := r.Cookie(s.cookie)
	if err != nil {
		return time.Time{}, nil //nolint:nilerr // no cookie, no session
	}
	return s.Accounts.TouchSession(r.Context(), cookie.Value)
}
