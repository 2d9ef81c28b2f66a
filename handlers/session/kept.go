package session

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
)

// ErrNotKept means that a form cannot wait: it has a password, a file or a card number, is no form or too large, or comes without a session
// that has just ended.
var ErrNotKept = fault.New(fault.Invalid, "a form that is not kept")

// Kept is a form that waits until its sender has signed in again or proved who they are. The database stores it sealed, five for an
// account, and each is sent once. No page knows about it.
type Kept struct {
	ID          uuid.UUID `json:"-"`
	Path, Query string    // of the address that it was sent to
	Back        string    // the page that it was sent from, or "/"
	At          time.Time
	Agent       string     // User-Agent of the browser that sent it
	Fields      url.Values // nil: it could not be kept, and only the proof is wanted
	NeedsProof  bool
	Frame       bool // it was sent from a frame of another site
	account     uuid.UUID
}

// URL returns the address of the page that says what waits.
func (k Kept) URL() string {
	if k.Frame { // in which the page has to be allowed
		return "/kept/" + k.ID.String() + "?e"
	}
	return "/kept/" + k.ID.String()
}

// Action returns the address that sends the form: the one that it was first sent to. See TakeKept.
func (k Kept) Action() string {
	query, _ := url.ParseQuery(k.Query) // from a request, so it parses
	query.Set(keptParam, k.ID.String())
	return k.Path + "?" + query.Encode()
}

// keptParam is the parameter of an address that names the form to send.
const keptParam = "kept"

// KeptID returns the id of the form that a request wants to send, and whether it names one.
func KeptID(r *http.Request) (uuid.UUID, bool) {
	text := r.URL.Query().Get(keptParam)
	id, err := uuid.Parse(text)
	return id, r.Method == http.MethodPost && text != "" && err == nil
}

// keepEnded keeps what was sent with a session that has timed out. The session goes, so that whoever has its cookie keeps one form and no
// more. The error is ErrNotKept.
func (s *Sessions) keepEnded(r *http.Request) (Kept, error) {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return Kept{}, err
	}
	holder, timedOut := session.Values[overValue].(uuid.UUID)
	cookie, _ := r.Cookie(s.cookie)
	if _, again := KeptID(r); !timedOut || again {
		return Kept{}, ErrNotKept
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, web.FieldLimit+1))
	if err != nil {
		return Kept{}, ErrNotKept
	}
	k := newKept(r, holder, body)
	if k.Fields == nil {
		web.Drain(r)
		return Kept{}, ErrNotKept
	}
	ended, err := s.Accounts.EndSession(r.Context(), cookie.Value)
	if err == nil && !ended {
		err = ErrNotKept // a request at the same time was quicker
	}
	if err != nil {
		return Kept{}, err
	}
	return k, s.put(r, k)
}

// KeepForProof keeps the form of a request, whose body is given, until the person has proved who they are. If it has what is not kept, only
// the proof is asked for. The error is account.ErrUnproved for a body that is no form, because only a page can ask for a proof.
func (s *Sessions) KeepForProof(r *http.Request, body []byte) (Kept, error) {
	p, _ := Signed(r)
	if !isForm(r) {
		return Kept{}, account.ErrUnproved
	}
	k := newKept(r, p.ID, body)
	k.NeedsProof = true
	return k, s.put(r, k)
}

func newKept(r *http.Request, holder uuid.UUID, body []byte) Kept {
	return Kept{
		ID: uuid.New(), Path: r.URL.Path, Query: r.URL.RawQuery, Back: pageBefore(r), At: time.Now(), Agent: r.UserAgent(),
		Fields: keepable(r.Header.Get("Content-Type"), body), Frame: r.URL.Query().Has("e"), account: holder,
	}
}

func (s *Sessions) put(r *http.Request, k Kept) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return s.Accounts.Keep(r.Context(), k.ID, k.account, text)
}

func isForm(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && (media == "application/x-www-form-urlencoded" || media == "multipart/form-data")
}

// keepable returns the fields of a form, or nil if it has one that is not kept, even sealed: a password, a file or a card number.
func keepable(contentType string, body []byte) url.Values {
	fields := web.ReadFields(contentType, body)
	for name, values := range fields {
		private := strings.Contains(name, "password") || name == "confirm" // a password again
		if private && strings.Join(values, "") != "" || slices.ContainsFunc(append(values, name), card.HoldsCard) {
			return nil
		}
	}
	return fields
}

// FindKept returns a form that waits for the signed-in person. The error is account.ErrKept.
func (s *Sessions) FindKept(r *http.Request, id uuid.UUID) (Kept, error) {
	p, _ := Signed(r)
	k := Kept{ID: id, account: p.ID}
	text, err := s.Accounts.FindKept(r.Context(), id, p.ID)
	if err != nil {
		return k, err
	}
	return k, json.Unmarshal(text, &k)
}

// DropKept ends a form without sending it. The error is account.ErrKept.
func (s *Sessions) DropKept(r *http.Request, k Kept) error {
	return s.Accounts.DropKept(r.Context(), k.ID, k.account)
}

// TakeKept ends a form and returns the request as it was first sent, once. The error is account.ErrKept.
func (s *Sessions) TakeKept(r *http.Request, k Kept) (*http.Request, error) {
	if k.Path != r.URL.Path {
		return nil, account.ErrKept
	}
	if err := s.DropKept(r, k); err != nil {
		return nil, err
	}
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return nil, err
	}
	p, _ := session.Values[personValue].(account.Person) // with the proof that was given meanwhile
	body := k.Fields.Encode()
	r = r.Clone(s.withPerson(r.Context(), p))
	r.URL.RawQuery, r.Form, r.PostForm, r.MultipartForm = k.Query, nil, nil, nil
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Body, r.ContentLength = web.WholeBody([]byte(body)), int64(len(body))
	return r, nil
}

// pageBefore returns the page of this site from which a request was sent, or "/" if the request does not say.
func pageBefore(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
		return "/"
	}
	return u.RequestURI()
}
