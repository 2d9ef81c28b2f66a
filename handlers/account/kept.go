package account

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// Proved wraps the handler of a route that changes something important. A person whose last proof of identity is older than
// account.ProofFor gives another one first. The form that they sent waits meanwhile, and then goes on to the handler.
func (h *Handler) Proved(next web.HandlerFunc) web.HandlerFunc {
	return h.Provable(func(w http.ResponseWriter, r *http.Request) error {
		if err := session.Prove(r); err != nil {
			return err
		}
		return next(w, r)
	})
}

// Provable is Proved for a handler that decides itself what needs a proof: the handler calls session.Prove before it changes what needs
// one, and returns the error unchanged.
func (h *Handler) Provable(next web.HandlerFunc) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if session.Prove(r) == nil {
			return next(w, r)
		}
		body, err := io.ReadAll(r.Body)
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			return fault.New(fault.TooLarge, "form over %d bytes", large.Limit)
		}
		if err != nil {
			return err
		}
		r.Body = web.WholeBody(body)
		if err = next(w, r); !errors.Is(err, account.ErrUnproved) {
			return err
		}
		kept, err := h.Sessions.KeepForProof(r, body)
		if err != nil {
			return err
		}
		return web.Leave(w, r, kept.URL())
	}
}

// Resumed sends a form that waited, if the address names one, to the handler of the route to which it was first sent. The guards of the
// route have to come before it. It takes the proof that the form needs.
func (h *Handler) Resumed(answer func(web.HandlerFunc) http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return answer(func(w http.ResponseWriter, r *http.Request) error {
			id, named := session.KeptID(r)
			if !named {
				next.ServeHTTP(w, r)
				return nil
			}
			return h.resume(w, r, id, next)
		})
	}
}

func (h *Handler) resume(w http.ResponseWriter, r *http.Request, id uuid.UUID, next http.Handler) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	kept, err := h.Sessions.FindKept(r, id)
	if err != nil {
		return gone(w, r, err)
	}
	if kept.NeedsProof && session.Prove(r) != nil { // another tab may have given the proof meanwhile
		if err := h.takeProof(w, r); err != nil {
			return h.refuseProof(w, r, kept, err)
		}
	}
	sent, err := h.Sessions.TakeKept(r, kept)
	if err != nil {
		return gone(w, r, err)
	}
	if kept.Fields == nil { // only the proof was wanted
		return web.Leave(w, r, kept.Back)
	}
	next.ServeHTTP(w, sent)
	return nil
}

func (h *Handler) takeProof(w http.ResponseWriter, r *http.Request) (err error) {
	if answer := r.PostForm.Get("passkey"); answer != "" {
		err = h.Accounts.ProveByPasskey(r.Context(), holder(r), h.Proxies.Client(r), []byte(answer))
	} else {
		err = h.Accounts.Prove(r.Context(), holder(r), h.credentials(r), secret.New(r.PostForm.Get("code")))
	}
	if err == nil {
		err = h.Sessions.Proved(w, r)
	}
	return err
}

// ShowKept answers GET /kept/{id}, which says what waits and asks whether to send it.
func (h *Handler) ShowKept(w http.ResponseWriter, r *http.Request) error {
	kept, err := h.kept(r)
	if err != nil {
		return gone(w, r, err)
	}
	return h.renderKept(w, r, http.StatusOK, kept, view.Kept{})
}

// Discard answers POST /kept/{id}, which ends a form that waits.
func (h *Handler) Discard(w http.ResponseWriter, r *http.Request) error {
	kept, err := h.kept(r)
	if err == nil {
		err = h.Sessions.DropKept(r, kept)
	}
	if err != nil {
		return gone(w, r, err)
	}
	return web.Redirect(w, r, kept.Back)
}

func (h *Handler) kept(r *http.Request) (session.Kept, error) {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return session.Kept{}, account.ErrKept
	}
	return h.Sessions.FindKept(r, id)
}

// refuseProof asks again and says what was wrong.
func (h *Handler) refuseProof(w http.ResponseWriter, r *http.Request, kept session.Kept, wrong error) error {
	m := view.Kept{Fields: view.ProveFields(true)}
	if errors.Is(wrong, account.ErrCredentials) {
		set(m.Fields, "password", view.WrongPassword)
		return h.renderKept(w, r, http.StatusUnprocessableEntity, kept, m)
	}
	status, notice, known := h.explain(m.Fields, wrong)
	if !known {
		status, notice, known = h.explainPasskey(wrong)
	}
	if !known {
		return wrong
	}
	m.Notice = notice
	return h.renderKept(w, r, status, kept, m)
}

func (h *Handler) renderKept(w http.ResponseWriter, r *http.Request, status int, kept session.Kept, m view.Kept) error {
	me := holder(r)
	two, err := h.Accounts.TwoStepOf(r.Context(), me.ID)
	if err != nil {
		return err
	}
	m.What, m.Browser = view.Saving(kept.Path), view.Browser(kept.Agent)
	if ago := time.Since(kept.At).Truncate(time.Minute); ago > 0 {
		m.Ago = clock.Span(ago)
	}
	m.URL, m.Action, m.Lost, m.ProofFor = kept.URL(), kept.Action(), kept.Fields == nil, account.ProofFor
	m.NeedsProof, m.Ask = kept.NeedsProof, kept.NeedsProof && session.Prove(r) != nil
	m.Email, m.Passkeys, m.PasskeyOnly = me.Email, two.Passkeys > 0 && h.Accounts.PasskeysWork(), two.Asked && !two.On
	m.Fields = m.Asked(two.On)
	return web.Render(w, r, status, view.KeptPage(m))
}

// gone answers for a form that waits no longer.
func gone(w http.ResponseWriter, r *http.Request, err error) error {
	if errors.Is(err, account.ErrKept) {
		return web.Render(w, r, http.StatusGone, view.GonePage(account.KeptFor))
	}
	return err
}
