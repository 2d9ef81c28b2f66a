package account

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowPasskeys answers GET /account/passkeys.
func (h *Handler) ShowPasskeys(w http.ResponseWriter, r *http.Request) error {
	return h.renderPasskeys(w, r, http.StatusOK, view.Passkeys{Done: r.URL.Query().Get("done")})
}

// ChangePasskeys answers POST /account/passkeys: the button says what to change. Adding and removing need a proof.
func (h *Handler) ChangePasskeys(w http.ResponseWriter, r *http.Request) error {
	me, name := holder(r), r.PostForm.Get("name")
	switch r.PostForm.Get("do") {
	case "start":
		return h.startPasskey(w, r, view.NewPasskey{Name: view.PasskeyField(view.Browser(r.UserAgent()))})
	case "add":
		if err := session.Prove(r); err != nil {
			return err
		}
		err := h.Accounts.AddPasskey(r.Context(), me, name, []byte(r.PostForm.Get("passkey")))
		return h.addedPasskey(w, r, name, err)
	case "rename":
		id, _ := uuid.Parse(r.PostForm.Get("id")) // no passkey has the zero id
		return h.changedPasskey(w, r, h.Accounts.RenamePasskey(r.Context(), me.ID, id, name), "renamed")
	case "remove":
		if err := session.Prove(r); err != nil {
			return err
		}
		id, _ := uuid.Parse(r.PostForm.Get("id"))
		return h.changedPasskey(w, r, h.Accounts.RemovePasskey(r.Context(), me, id), "removed")
	}
	return fault.New(fault.Invalid, "unknown button")
}

// startPasskey shows the page whose script makes a passkey.
func (h *Handler) startPasskey(w http.ResponseWriter, r *http.Request, m view.NewPasskey) error {
	if err := session.Prove(r); err != nil {
		return err
	}
	asked, err := h.Accounts.StartPasskey(r.Context(), holder(r))
	if errors.Is(err, account.ErrNoPasskeys) {
		return web.Leave(w, r, "/account/passkeys")
	}
	if err != nil {
		return err
	}
	m.Options = asked
	status := http.StatusOK
	if m.Name.Problem != "" || m.Notice != "" {
		status = http.StatusUnprocessableEntity
	}
	return web.Render(w, r, status, view.NewPasskeyPage(m))
}

func (h *Handler) addedPasskey(w http.ResponseWriter, r *http.Request, name string, err error) error {
	m := view.NewPasskey{Name: view.PasskeyField(name)}
	switch {
	case err == nil:
		return web.Leave(w, r, "/account/passkeys?done=added")
	case errors.Is(err, account.ErrPasskeyName):
		m.Name.Problem = err.Error()
	case errors.Is(err, account.ErrChallenge), errors.Is(err, account.ErrPasskeyTaken):
		m.Notice = err.Error()
	case errors.Is(err, account.ErrPasskey):
		m.Notice = view.PasskeyUnusable
	default:
		return err
	}
	return h.startPasskey(w, r, m)
}

func (h *Handler) changedPasskey(w http.ResponseWriter, r *http.Request, err error, done string) error {
	switch {
	case err == nil:
		return web.Leave(w, r, "/account/passkeys?done="+done)
	case errors.Is(err, account.ErrPasskeyName):
		return h.renderPasskeys(w, r, http.StatusUnprocessableEntity, view.Passkeys{Notice: err.Error()})
	case errors.Is(err, account.ErrNeeded):
		return h.renderPasskeys(w, r, http.StatusConflict, view.Passkeys{Notice: err.Error()})
	}
	return err
}

// renderPasskeys fills in the account's passkeys.
func (h *Handler) renderPasskeys(w http.ResponseWriter, r *http.Request, status int, m view.Passkeys) error {
	me := holder(r)
	var err error
	if m.Keys, err = h.Accounts.Passkeys(r.Context(), me.ID); err != nil {
		return err
	}
	told, err := h.People.Of(r.Context(), me.ID)
	if err != nil {
		return err
	}
	two, err := h.Accounts.TwoStepOf(r.Context(), me.ID)
	if err != nil {
		return err
	}
	m.Work, m.Shared, m.Zone = h.Accounts.PasskeysWork(), two.Shared, told.Zone
	return web.Render(w, r, status, view.PasskeysPage(m))
}

// AskPasskey answers POST /signin/passkey/ask with what the browser has to sign with a passkey.
func (h *Handler) AskPasskey(w http.ResponseWriter, r *http.Request) error {
	asked, token, err := h.Accounts.AskPasskey(h.Sessions.Passkey(r))
	if err != nil {
		return err
	}
	h.Sessions.SetPasskey(w, token)
	return web.WriteJSON(w, http.StatusOK, asked)
}

// AskProof answers POST /account/passkeys/ask with what a signed-in browser has to sign to prove who uses it.
func (h *Handler) AskProof(w http.ResponseWriter, r *http.Request) error {
	asked, err := h.Accounts.AskProof(holder(r))
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, asked)
}

// SignInByPasskey answers POST /signin/passkey.
func (h *Handler) SignInByPasskey(w http.ResponseWriter, r *http.Request) error {
	user, err := h.Accounts.SignInByPasskey(r.Context(), h.Sessions.Passkey(r), h.Proxies.Client(r), []byte(r.PostForm.Get("passkey")))
	if err == nil {
		if err := h.Accounts.EndHalf(r.Context(), h.Sessions.Half(r)); err != nil {
			return err
		}
		h.Sessions.EndHalf(w)
		return h.enter(w, r, user, account.ByPasskey)
	}
	m := view.Screen{To: local(r.PostForm.Get("to"))}
	status, notice, known := h.explainPasskey(err)
	if !known {
		return err
	}
	m.Notice = notice
	return web.Render(w, r, status, view.Page(m), view.Panel)
}

// explainPasskey says why a passkey was not accepted; known is false for an error that the person cannot correct.
func (h *Handler) explainPasskey(err error) (status int, notice string, known bool) {
	for _, refusal := range []error{account.ErrChallenge, account.ErrCopied, account.ErrPasskey} {
		if errors.Is(err, refusal) {
			return http.StatusUnprocessableEntity, refusal.Error(), true
		}
	}
	return h.explain(nil, err)
}
