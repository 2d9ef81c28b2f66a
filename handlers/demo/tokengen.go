package demo

import (
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/throttle"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

// Tokengen serves /onboarding/tokengen/{docId}, where an invited user turns a link into a bearer token.
type Tokengen struct {
	Invites  *invite.Invites
	Sessions *session.Sessions // notes wrong keys
	Log      *slog.Logger
	BatchURL string // full address of the call for which tokens are valid
}

// Generate answers POST /onboarding/tokengen/{docId}: it answers a form with a page and JSON with JSON.
func (h *Tokengen) Generate(s *web.Responder) http.HandlerFunc {
	page, call := s.Page(h.generateOnPage), s.API(h.generateJSON)
	return func(w http.ResponseWriter, r *http.Request) {
		if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == "application/json" {
			call(w, r)
			return
		}
		page(w, r)
	}
}

// ShowToken answers GET /onboarding/tokengen/{docId} with a spinner, then with the form or the reason why there is none. A program that
// wants JSON gets the user's place in the list, or the message (TOKEN-23).
func (h *Tokengen) ShowToken(w http.ResponseWriter, r *http.Request) error {
	userIndex, err := h.Invites.Check(r.Context(), docID(r))
	w.Header().Add("Vary", "Accept")
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		if err != nil {
			return web.WriteJSON(w, h.status(r, err), checkMessage(r, err))
		}
		return web.WriteJSON(w, http.StatusOK, userIndex)
	}
	p := h.page(r)
	p.Checking = r.Header.Get("HX-Request") != "true"
	if err != nil {
		p.Message, p.Again = checkMessage(r, err), fault.CodeOf(err) == fault.Internal
		return h.render(w, r, h.status(r, err), p)
	}
	p.State, p.UserIndex = view.TokenForm, strconv.FormatInt(userIndex, 10)
	return h.render(w, r, http.StatusOK, p)
}

// generateOnPage answers POST /onboarding/tokengen/{docId} with the token. It is in this answer only, because the site does not keep it for
// another one.
func (h *Tokengen) generateOnPage(w http.ResponseWriter, r *http.Request) error {
	p := h.page(r)
	p.State = view.TokenForm
	err := web.ParseForm(r)
	if fault.CodeOf(err) == fault.TooLarge {
		p.Password.Problem = view.PasswordTooLong
		return h.render(w, r, http.StatusRequestEntityTooLarge, p)
	}
	if err != nil {
		return err
	}
	asked := readForm(r.PostForm)
	p.UserIndex, p.Email.Value = r.PostForm.Get("userIndex"), asked.Email
	if problems := asked.check(); len(problems) > 0 {
		p.Email.Problem, p.SecretKey.Problem, p.Password.Problem = problems["email"], problems["secretKey"], problems["password"]
		return h.render(w, r, http.StatusUnprocessableEntity, p)
	}
	token, err := h.Invites.Generate(r.Context(), h.request(r, asked))
	switch {
	case err == nil:
		p.State, p.Token, p.BatchURL = view.TokenDone, token.Reveal(), h.BatchURL
		return h.render(w, r, http.StatusOK, p)
	case linkEnded(err):
		p.State, p.Message = view.TokenInvalid, generateMessage(r, err)
	default:
		p.Message = generateMessage(r, err)
	}
	web.TellWait(w, err)
	return h.render(w, r, h.status(r, err), p)
}

// render answers with the page.
func (h *Tokengen) render(w http.ResponseWriter, r *http.Request, status int, p view.Tokengen) error {
	return web.Render(w, r, status, view.TokenPage(p), view.TokenSection)
}

// status returns the status for an answer that has its own text for an error, and logs unexpected errors.
func (h *Tokengen) status(r *http.Request, err error) int {
	status := web.Status(err)
	if errors.Is(err, invite.ErrCredentials) || errors.As(err, new(*throttle.Error)) {
		h.Sessions.NoteToken(r, docID(r), err)
	}
	switch {
	case errors.Is(err, invite.ErrCredentials):
		status = http.StatusUnprocessableEntity
	case status >= http.StatusInternalServerError:
		web.Log(r, h.Log).ErrorContext(r.Context(), "token page", "error", err)
	}
	return status
}

// checkMessage says why a link cannot be used.
func checkMessage(r *http.Request, err error) string {
	switch {
	case errors.Is(err, invite.ErrNoList):
		return view.InvalidDocument
	case errors.Is(err, invite.ErrLink):
		return view.InvalidLink
	case errors.Is(err, invite.ErrUsed):
		return view.AlreadyGenerated(ui.Of(r.Context()).Provider.Name)
	default:
		return view.CheckFailed
	}
}

// generateMessage says why no token was made.
func generateMessage(r *http.Request, err error) string {
	var wait *throttle.Error
	switch {
	case errors.Is(err, invite.ErrNoUser):
		return view.DocumentNotFound
	case errors.Is(err, invite.ErrLink), errors.Is(err, invite.ErrUsed):
		return checkMessage(r, err)
	case errors.Is(err, invite.ErrCredentials):
		return view.InvalidSecret
	case errors.As(err, &wait):
		return view.TooManyTokens(wait.After)
	default:
		return view.GenerateFailed
	}
}

// linkEnded reports whether this link can no longer give a token.
func linkEnded(err error) bool {
	return errors.Is(err, invite.ErrLink) || errors.Is(err, invite.ErrUsed) || errors.Is(err, invite.ErrNoUser)
}

func docID(r *http.Request) string { return chi.URLParam(r, "docId") }
