package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/account"
	"forecourt/internal/card"
	"forecourt/internal/clock"
	"forecourt/internal/fault"
	"forecourt/internal/secret"
)

// ErrUnproved means that the person has to prove again who they are. A route that account.Handler.Provable wraps then asks for the proof
// and goes on with the form; elsewhere the answer is 403.
var ErrUnproved = fault.New(fault.Forbidden, "the last proof of who it is is older than %s", clock.Spelled(account.ProofFor))

// ErrKeptForm means that a kept form was already sent, is older than account.KeptFormFor, or belongs to another session or address.
var ErrKeptForm = fault.New(fault.Gone, "no such form is kept")

// Prove returns ErrUnproved unless the signed-in person has proved who they are within account.ProofFor: with their password, and with
// a code if they have a second step. Signing in is such a proof. Call Prove before changing anything.
func Prove(r *http.Request) error {
	if p, ok := Signed(r); ok && p.Proved {
		return nil
	}
	return ErrUnproved
}

// keptParam is the parameter of an address that names the kept form to go on with.
const keptParam = "kept"

// KeptForm is a form that waits for a proof. The database stores it sealed.
type KeptForm struct {
	ID                uuid.UUID `json:"-"`
	Path, Query, Back string    // the address that it was sent to, and the page that it was sent from
	Media             string    // its Content-Type
	Body              []byte
}

// Action returns the address that takes the proof and goes on with the form.
func (f KeptForm) Action() string {
	query, _ := url.ParseQuery(f.Query) // from a request, so it parses
	query.Set(keptParam, f.ID.String())
	return f.Path + "?" + query.Encode()
}

// KeptID returns the id of the form that a request wants to go on with, and whether it names one.
func KeptID(r *http.Request) (uuid.UUID, bool) {
	text := r.URL.Query().Get(keptParam)
	id, err := uuid.Parse(text)
	return id, text != "" && err == nil
}

// KeepForm stores the form of a request for its session, for account.KeptFormFor. body is the request's body. The error is ErrUnproved for a body
// that is not a form, because only a page can ask for a proof. A form with a card number is refused, as its handler would refuse it.
func (s *Sessions) KeepForm(r *http.Request, body []byte) (KeptForm, error) {
	p, _ := Signed(r)
	f := KeptForm{ID: uuid.New(), Path: r.URL.Path, Query: r.URL.RawQuery, Back: pageBefore(r), Media: r.Header.Get("Content-Type"), Body: body}
	media, _, err := mime.ParseMediaType(f.Media)
	if err != nil || media != "application/x-www-form-urlencoded" && media != "multipart/form-data" {
		return f, ErrUnproved
	}
	if holdsCard(f.typed()) {
		return f, fault.New(fault.Invalid, "a card number in a form that waits for a proof")
	}
	text, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	return f, s.queries.KeptFormAdd(r.Context(), f.ID, p.Session, s.box.Seal(text, f.place(p)))
}

func holdsCard(fields url.Values) bool {
	for _, values := range fields {
		if slices.ContainsFunc(values, card.HoldsCard) {
			return true
		}
	}
	return false
}

// FindForm returns a form kept for the session. The error is ErrKeptForm.
func (s *Sessions) FindForm(r *http.Request, id uuid.UUID) (f KeptForm, err error) {
	p, _ := Signed(r)
	sealed, err := s.queries.KeptFormGet(r.Context(), id, p.Session, account.KeptFormFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, ErrKeptForm
	}
	if err != nil {
		return f, err
	}
	f.ID = id
	text, err := s.box.Open(sealed, f.place(p))
	if errors.As(err, new(*secret.LostError)) { // the person fills it in again
		return f, ErrKeptForm
	}
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(text, &f)
}

// TakeForm ends a kept form and returns the request as it was sent, once. The error is ErrKeptForm.
func (s *Sessions) TakeForm(r *http.Request, f KeptForm) (*http.Request, error) {
	p, _ := Signed(r)
	rows, err := s.queries.KeptFormTake(r.Context(), f.ID, p.Session, account.KeptFormFor)
	if err == nil && (rows == 0 || f.Path != r.URL.Path) {
		err = ErrKeptForm
	}
	if err != nil {
		return nil, err
	}
	p.Proved = true
	r = r.Clone(withPerson(r.Context(), p))
	r.URL.RawQuery, r.Form, r.PostForm, r.MultipartForm = f.Query, nil, nil, nil
	r.Header.Set("Content-Type", f.Media)
	r.Body, r.ContentLength = WholeBody(f.Body), int64(len(f.Body))
	return r, nil
}

// WholeBody returns a body that was read within its limit, so that it can be read again.
func WholeBody(body []byte) io.ReadCloser {
	again := io.NopCloser(bytes.NewReader(body))
	return &limitedBody{ReadCloser: again, whole: again, limit: int64(len(body))}
}

// Proved remembers that the person has just proved who they are, and gives the session a new id, so that somebody who copied the old one
// does not profit from the proof.
func (s *Sessions) Proved(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return err
	}
	id := newID() // mutant: a session keeps its id after a proof
	rows, err := s.queries.SessionProve(r.Context(), hashID(id), hashID(session.ID))
	if err != nil {
		return err
	}
	if rows == 0 {
		return ErrUnproved // it has ended meanwhile
	}
	session.ID = id
	s.setCookie(w, session)
	return nil
}

// place returns the context in which a form is sealed, so that a row cannot be moved to another session.
func (f KeptForm) place(p Person) string {
	return "form " + f.ID.String() + " of " + p.Session.String() // mutant: another session sends a kept form
}

// pageBefore returns the page of this site from which a request was sent, or "/" if the request does not say.
func pageBefore(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
		return "/"
	}
	return u.RequestURI()
}
