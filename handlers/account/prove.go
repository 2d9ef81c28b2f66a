package account

import (
	"errors"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/secret"
	view "forecourt/views/account"
)

// Proved wraps the handler of a route that changes something important. A person whose last proof of identity is older than account.ProofFor
// gives another one first. The form that they sent is kept meanwhile, and then goes on to the handler.
func (h *Handler) Proved(next web.HandlerFunc) web.HandlerFunc {
	return h.Provable(func(w http.ResponseWriter, r *http.Request) error {
		if err := web.Prove(r); err != nil {
			return err
		}
		return next(w, r)
	})
}

// Provable is Proved for a handler that decides itself what needs a proof: the handler calls web.Prove before it changes anything, and
// returns the error unchanged.
func (h *Handler) Provable(next web.HandlerFunc) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if id, ok := web.KeptID(r); ok && r.Method == http.MethodPost {
			return h.goOn(w, r, id, next)
		}
		if web.Prove(r) == nil {
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
		if err = next(w, r); !errors.Is(err, web.ErrUnproved) {
			return err
		}
		kept, err := h.Sessions.KeepForm(r, body)
		if err != nil {
			return err
		}
		to := "/prove/" + kept.ID.String()
		if r.URL.Query().Has("e") { // sent from a frame, in which the next page has to be allowed
			to += "?e"
		}
		return web.Leave(w, r, to)
	}
}

// ShowProve answers GET /prove/{id}, which asks for a proof to go on with a kept form.
func (h *Handler) ShowProve(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return web.Render(w, r, http.StatusGone, view.StaleFormPage(account.KeptFormFor))
	}
	kept, err := h.Sessions.FindForm(r, id)
	if err != nil {
		return staleForm(w, r, err)
	}
	return h.renderProve(w, r, http.StatusOK, kept, view.Prove{})
}

// goOn takes a proof and goes on with the kept form.
func (h *Handler) goOn(w http.ResponseWriter, r *http.Request, id uuid.UUID, next web.HandlerFunc) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	kept, err := h.Sessions.FindForm(r, id)
	if err != nil {
		return staleForm(w, r, err)
	}
	if web.Prove(r) != nil { // another tab may have given the proof meanwhile
		var err error
		if answer := r.PostForm.Get("passkey"); answer != "" {
			err = h.Accounts.ProveByPasskey(r.Context(), holder(r), h.Proxies.Client(r), []byte(answer))
		} else {
			err = h.Accounts.Prove(r.Context(), holder(r), h.credentials(r), secret.New(r.PostForm.Get("code")))
		}
		if err != nil {
			return h.refuseProof(w, r, kept, err)
		}
		if err := h.Sessions.Proved(w, r); err != nil {
			return err
		}
	}
	sent, err := h.Sessions.TakeForm(r, kept)
	if err != nil {
		return staleForm(w, r, err)
	}
	return next(w, sent)
}

// refuseProof asks again and says what was wrong.
func (h *Handler) refuseProof(w http.ResponseWriter, r *http.Request, kept web.KeptForm, wrong error) error {
	m := view.Prove{Fields: view.ProveFields(true)}
	if errors.Is(wrong, account.ErrCredentials) {
		set(m.Fields, "password", view.WrongPassword)
		return h.renderProve(w, r, http.StatusUnprocessableEntity, kept, m)
	}
	status, notice, known := h.explain(m.Fields, wrong)
	if !known {
		status, notice, known = h.explainPasskey(wrong)
	}
	if !known {
		return wrong
	}
	m.Notice = notice
	return h.renderProve(w, r, status, kept, m)
}

func (h *Handler) renderProve(w http.ResponseWriter, r *http.Request, status int, kept web.KeptForm, m view.Prove) error {
	me := holder(r)
	two, err := h.Accounts.TwoStepOf(r.Context(), me.ID)
	if err != nil {
		return err
	}
	m.Email, m.Action, m.Back, m.ProofFor, m.Proved = me.Email, kept.Action(), kept.BackURL(), account.ProofFor, web.Prove(r) == nil
	m.Passkeys, m.PasskeyOnly = two.Passkeys > 0 && h.Accounts.PasskeysWork(), two.Asked && !two.On
	m.Fields = m.Asked(two.On)
	return web.Render(w, r, status, view.ProvePage(m))
}

// staleForm answers for a form that is no longer kept.
func staleForm(w http.ResponseWriter, r *http.Request, err error) error {
	if errors.Is(err, web.ErrKeptForm) {
		return web.Render(w, r, http.StatusGone, view.StaleFormPage(account.KeptFormFor))
	}
	return err
}
