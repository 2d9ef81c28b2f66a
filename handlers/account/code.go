package account

import (
	"errors"
	"net/http"
	"net/url"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// halfway redirects to the second step after a correct password.
func (h *Handler) halfway(w http.ResponseWriter, r *http.Request, user account.User) error {
	half, err := h.Accounts.Halfway(r.Context(), user)
	if err == nil {
		err = h.Accounts.EndHalf(r.Context(), h.Sessions.Half(r))
	}
	if err != nil {
		return err
	}
	h.Sessions.SetHalf(w, half)
	h.Sessions.Note(r, session.SignInHalf, user.ID.String(), "")
	to := "/signin/code"
	if asked := local(r.PostForm.Get("to")); asked != "/" {
		to += "?" + url.Values{"to": {asked}}.Encode()
	}
	return web.Leave(w, r, to)
}

// ShowCode answers GET /signin/code, the second step of a sign-in.
func (h *Handler) ShowCode(w http.ResponseWriter, r *http.Request) error {
	to := local(r.URL.Query().Get("to"))
	user, err := h.Accounts.FindHalf(r.Context(), h.Sessions.Half(r))
	if errors.Is(err, account.ErrHalf) {
		return web.Redirect(w, r, view.SignInURL(to))
	}
	if err != nil {
		return err
	}
	m := view.NewCode(to)
	if err := h.offerPasskeys(r, user, &m); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.CodePage(m), view.Panel)
}

// TakeCode answers POST /signin/code.
func (h *Handler) TakeCode(w http.ResponseWriter, r *http.Request) error {
	to := local(r.PostForm.Get("to"))
	code := r.PostForm.Get("code")
	recovery := code == ""
	if recovery {
		code = r.PostForm.Get("recovery")
	}
	user, by, err := h.Accounts.SecondStep(r.Context(), h.Sessions.Half(r), h.credentials(r), secret.New(code))
	switch {
	case err == nil:
		h.Sessions.EndHalf(w)
		return h.enter(w, r, user, by)
	case errors.Is(err, account.ErrHalf):
		h.Sessions.EndHalf(w)
		return web.Leave(w, r, view.SignInURL(to))
	}
	m := view.NewCode(to)
	half, lost := h.Accounts.FindHalf(r.Context(), h.Sessions.Half(r))
	if lost == nil {
		lost = h.offerPasskeys(r, half, &m)
	}
	if lost != nil {
		return errors.Join(err, lost)
	}
	if recovery && errors.Is(err, account.ErrCode) {
		m.Recovery.Problem = view.WrongRecovery
		return web.Render(w, r, http.StatusUnprocessableEntity, view.CodePage(m), view.Panel)
	}
	fields := m.Fields()
	status, notice, known := h.explain(fields, err)
	if !known {
		return err
	}
	m.Code, m.Notice = fields[0], notice
	return web.Render(w, r, status, view.CodePage(m), view.Panel)
}

// offerPasskeys notes whether the page of the second step can offer the person's passkeys.
func (h *Handler) offerPasskeys(r *http.Request, user account.User, m *view.Code) error {
	two, err := h.Accounts.TwoStepOf(r.Context(), user.ID)
	if err != nil {
		return err
	}
	keys, err := h.Accounts.Passkeys(r.Context(), user.ID)
	for _, key := range keys {
		m.Passkeys = m.Passkeys || key.Elsewhere == ""
	}
	if m.PasskeyOnly = two.Asked && !two.On; m.PasskeyOnly && !m.Passkeys && len(keys) > 0 {
		m.Elsewhere = keys[0].Elsewhere
	}
	return err
}
