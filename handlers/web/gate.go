package web

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/secret"
	view "forecourt/views/account"
	"forecourt/views/layout"
)

type personKey struct{}

func withPerson(ctx context.Context, p Person) context.Context {
	return layout.WithUser(context.WithValue(ctx, personKey{}, p), p.DisplayName())
}

// Signed returns who is signed in.
func Signed(r *http.Request) (Person, bool) {
	p, ok := r.Context().Value(personKey{}).(Person)
	return p, ok
}

// Require lets signed-in people through. Others see the sign-in screen instead, and come back to the page afterwards. A form that they sent
// with a timed-out session may be kept for account.KeptInputFor.
func (s *Sessions) Require(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := Signed(r); ok {
			// After signing out, the back button must not show what is behind a sign-in.
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
			return
		}
		s.answer(s.showGate)(w, r)
	})
}

// TwoStepPage is the address at which people set up two-step sign-in.
const TwoStepPage = "/account/two-step"

// Secured redirects people who need two-step sign-in, but have not set it up, to the page that does it. Everybody else passes.
func (s *Sessions) Secured(next http.Handler) http.Handler {
	lead := s.answer(func(w http.ResponseWriter, r *http.Request) error {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			return &APIError{Err: fault.New(fault.Forbidden, "two-step sign-in is not set up"), Text: "Set up two-step sign-in first, at " + TwoStepPage + "."}
		}
		return Leave(w, r, SetUpURL(r))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p, _ := Signed(r); p.Unsecured { // mutant: staff work with a password alone
			lead(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// SetUpURL returns the address of that page, which then leads back to the page of the request.
func SetUpURL(r *http.Request) string {
	if !safe(r.Method) {
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
		s.answer(func(http.ResponseWriter, *http.Request) error { return fault.New(fault.NotFound, "staff only") })(w, r)
	}))
}

func (s *Sessions) showGate(w http.ResponseWriter, r *http.Request) error {
	m := view.Screen{To: r.URL.RequestURI()}
	status := http.StatusOK
	if !safe(r.Method) {
		status = http.StatusUnauthorized
		kept, err := s.keep(w, r)
		if err != nil {
			return err
		}
		if kept {
			m.Kept = account.KeptInputFor
		} else {
			m.Notice = view.NotSaved
		}
	}
	if _, create := r.URL.Query()["r"]; create { // ADMIN-01
		m.Create = true
	}
	w.Header().Set("Cache-Control", "no-store")
	return Render(w, r, status, view.Page(m), view.Panel)
}

// keepers are the routes whose pages show again what was kept; see Kept.
var keepers = []string{"/account", "/merchant/admin", "/form/{id}/{step}", "/compliance/{id}"}

// keep stores a form that was posted with a timed-out session, if its page shows it again. A session keeps one form, so that nobody who has
// its cookie can fill the disk.
func (s *Sessions) keep(w http.ResponseWriter, r *http.Request) (bool, error) {
	session, err := s.Get(r, s.cookie)
	if err != nil {
		return false, err
	}
	account, timedOut := session.Values[overValue].(uuid.UUID)
	cookie, _ := r.Cookie(s.cookie)
	if !timedOut || !slices.Contains(keepers, chi.RouteContext(r.Context()).RoutePattern()) || r.URL.Query().Has(keptParam) {
		return false, nil
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" && media != "multipart/form-data" {
		return false, nil // another kind of body is not kept
	}
	leave, err := s.uploads.Admit(r)
	if err != nil {
		return false, err
	}
	defer leave()
	upload, err := ParseUpload(w, r, 0) // pictures are not kept
	if err != nil {
		return false, err
	}
	for name := range upload.Values {
		if strings.Contains(name, "password") || name == "confirm" {
			delete(upload.Values, name) // a password is typed again rather than kept, even sealed
		}
	}
	if holdsCard(upload.Values) {
		return false, nil
	}
	text, err := json.Marshal(upload.Values)
	if err != nil {
		return false, err
	}
	path := r.URL.Path
	rows, err := s.queries.KeptInputPut(r.Context(), path, s.box.Seal(text, inputPlace(account, path)), hashID(cookie.Value))
	if err != nil || rows == 0 {
		return false, err
	}
	return true, s.queries.KeptInputTrim(r.Context(), account)
}

// Kept returns the form that the person sent to this address after the session had timed out.
func (s *Sessions) Kept(r *http.Request) (url.Values, bool, error) {
	p, ok := Signed(r)
	if !ok {
		return nil, false, nil
	}
	sealed, err := s.queries.KeptInputGet(r.Context(), p.ID, r.URL.Path, account.KeptInputFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	text, err := s.box.Open(sealed, inputPlace(p.ID, r.URL.Path))
	if errors.As(err, new(*secret.LostError)) { // the person types it again
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var values url.Values
	err = json.Unmarshal(text, &values)
	return values, err == nil, err
}

// Forget deletes the form kept for this address, once it is stored where it belongs.
func (s *Sessions) Forget(r *http.Request) error {
	p, ok := Signed(r)
	if !ok {
		return nil
	}
	return s.queries.KeptInputDrop(r.Context(), p.ID, r.URL.Path)
}
