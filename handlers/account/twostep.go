package account

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
	"forecourt/views/ui"
)

// ShowTwoStep answers GET /account/two-step.
func (h *Handler) ShowTwoStep(w http.ResponseWriter, r *http.Request) error {
	m := view.NewTwoStepScreen()
	_, m.Removed = r.URL.Query()["removed"]
	_, m.Moved = r.URL.Query()["moved"]
	_, m.Lost = r.URL.Query()["lost"]
	m.To = local(r.URL.Query().Get("to"))
	return h.renderTwoStep(w, r, http.StatusOK, m)
}

// ChangeTwoStep answers POST /account/two-step. The button says what to change.
func (h *Handler) ChangeTwoStep(w http.ResponseWriter, r *http.Request) error {
	m, by, me := view.NewTwoStepScreen(), h.credentials(r), holder(r)
	m.To = local(r.PostForm.Get("to"))
	code := secret.New(r.PostForm.Get("code"))
	switch do := r.PostForm.Get("do"); do {
	case "start":
		return h.startTwoStep(w, r, m, by)
	case "confirm":
		if err := h.proveBesidePasskey(r); err != nil {
			return err
		}
		codes, err := h.Accounts.ConfirmTwoStep(r.Context(), me, by, code)
		switch {
		case err == nil && codes == nil: // moved to another app; no proof: nobody typed a password
			return web.Leave(w, r, "/account/two-step?moved")
		case err == nil:
			_, _ = h.remember(w, r, me.Email, account.ByCode) // the page shows the codes in any case, only once
			return web.Render(w, r, http.StatusOK, view.RecoveryPage(view.NewRecovery(codes, me.Email, m.To)), view.Panel)
		}
		return h.changed(w, r, &m, m.Confirm, err, "/account/two-step")
	case "codes":
		codes, err := h.Accounts.NewRecoveryCodes(r.Context(), me, by, code)
		if err == nil {
			return web.Render(w, r, http.StatusOK, view.RecoveryPage(view.NewRecovery(codes, me.Email, "")), view.Panel)
		}
		return h.changed(w, r, &m, m.Codes, err, "/account/two-step")
	case "move":
		err := h.Accounts.MoveTwoStep(r.Context(), me, by, code)
		return h.changed(w, r, &m, m.Move, err, "/account/two-step")
	case "remove":
		err := h.Accounts.RemoveTwoStep(r.Context(), me, by, code)
		return h.changed(w, r, &m, m.Remove, err, "/account/two-step?removed")
	}
	return fault.New(fault.Invalid, "unknown button")
}

// proveBesidePasskey returns account.ErrUnproved for an account that signs in with a passkey alone, unless its holder has just proved who
// they are: the codes may have been begun with a password, before there was a passkey.
func (h *Handler) proveBesidePasskey(r *http.Request) error {
	two, err := h.Accounts.TwoStepOf(r.Context(), holder(r).ID)
	if err == nil && two.Asked && !two.On {
		err = session.Prove(r)
	}
	return err
}

// startTwoStep begins to set up one-time codes. An account that signs in with a passkey needs a proof for that, and no password: whoever
// sets up codes can later prove themselves with them, and there a password alone proves nothing.
func (h *Handler) startTwoStep(w http.ResponseWriter, r *http.Request, m view.TwoStepScreen, by account.Credentials) error {
	me := holder(r)
	two, err := h.Accounts.TwoStepOf(r.Context(), me.ID)
	if err != nil {
		return err
	}
	if !two.Asked {
		err := h.Accounts.StartTwoStepByPassword(r.Context(), me, by)
		return h.changed(w, r, &m, m.Start, err, view.TwoStepURL(m.To))
	}
	if r.PostForm.Get("password") != "" { // a page from before the account needed a passkey: no form with a password waits for a proof
		return web.Leave(w, r, view.TwoStepURL(m.To))
	}
	if err := session.Prove(r); err != nil {
		return err
	}
	if err := h.Accounts.StartTwoStep(r.Context(), me); err != nil {
		return h.changed(w, r, &m, nil, err, "")
	}
	return web.Leave(w, r, view.TwoStepURL(m.To)) // the passkey was the proof; this adds none
}

// changed redirects if err is nil or the page is out of date, and otherwise shows what is wrong with the fields.
func (h *Handler) changed(w http.ResponseWriter, r *http.Request, m *view.TwoStepScreen, fields []ui.Field, err error, to string) error {
	switch {
	case err == nil: // the password was right
		if err := h.Sessions.Proved(w, r); err != nil {
			return err
		}
		return web.Leave(w, r, to)
	case errors.Is(err, account.ErrTwoStep):
		m.Notice = account.ErrTwoStep.Error()
		return h.renderTwoStep(w, r, http.StatusConflict, *m)
	case errors.Is(err, account.ErrNeeded):
		return h.renderTwoStep(w, r, http.StatusConflict, *m)
	case errors.Is(err, account.ErrNoSetup), errors.Is(err, account.ErrNoStep):
		return web.Leave(w, r, "/account/two-step")
	case errors.Is(err, account.ErrCredentials):
		set(fields, "password", view.WrongPassword)
		return h.renderTwoStep(w, r, http.StatusUnprocessableEntity, *m)
	}
	status, notice, known := h.explain(fields, err)
	if !known {
		return err
	}
	m.Notice = notice
	return h.renderTwoStep(w, r, status, *m)
}

// renderTwoStep shows the second step of the account.
func (h *Handler) renderTwoStep(w http.ResponseWriter, r *http.Request, status int, m view.TwoStepScreen) error {
	me := holder(r)
	two, err := h.Accounts.TwoStepOf(r.Context(), me.ID)
	if err != nil {
		return err
	}
	m.State, m.Email = two, me.Email
	setup, err := h.Accounts.PendingTwoStep(r.Context(), me)
	if err == nil {
		m.Setup, err = drawn(setup)
	}
	if err != nil && !errors.Is(err, account.ErrNoSetup) {
		return err
	}
	return web.Render(w, r, status, view.TwoStepPage(m), view.Panel)
}

// drawn draws the QR code of a key.
func drawn(setup account.Setup) (*view.Setup, error) {
	code, err := ui.QRCodeOf("the key below", setup.URL.Reveal())
	if err != nil {
		return nil, err
	}
	return &view.Setup{Code: code, Key: view.Grouped(setup.Key.Reveal())}, nil
}

func holder(r *http.Request) account.Holder {
	p, _ := session.Signed(r)
	return account.Holder{ID: p.ID, Email: p.Email, Session: p.Session}
}
