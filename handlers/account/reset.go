package account

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowReset answers GET /reset. With ?sent it says what to do next, in the same words for every address.
func (h *Handler) ShowReset(w http.ResponseWriter, r *http.Request) error {
	if _, sent := r.URL.Query()["sent"]; sent {
		return web.Render(w, r, http.StatusOK, view.SentPage(account.ResetFor, h.Outbox))
	}
	return web.Render(w, r, http.StatusOK, view.ResetPage(view.Form{Fields: view.ResetFields("")}), view.Panel)
}

// AskReset answers POST /reset.
func (h *Handler) AskReset(w http.ResponseWriter, r *http.Request) error {
	err := h.Accounts.AskReset(r.Context(), h.credentials(r))
	if err == nil {
		return web.Leave(w, r, "/reset?sent")
	}
	return h.again(w, r, view.Form{Fields: view.ResetFields(r.PostForm.Get("email"))}, err, view.ResetPage)
}

// ShowNewPassword answers GET /reset/{token}.
func (h *Handler) ShowNewPassword(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	email, err := h.Accounts.FindReset(r.Context(), token(r))
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleLinkPage(account.ResetFor))
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.NewPasswordPage(view.Form{Email: email, Fields: view.NewPasswordFields()}))
}

// SetNewPassword answers POST /reset/{token}. The person then signs in with the new password.
func (h *Handler) SetNewPassword(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	if err := web.ParseForm(r); err != nil {
		return err
	}
	email, err := h.Accounts.Reset(
		r.Context(), token(r), secret.New(r.PostForm.Get("password")), secret.New(r.PostForm.Get("confirm")), h.Proxies.Client(r),
	)
	if err == nil {
		if _, err := h.remember(w, r, email, ""); err != nil {
			return err
		}
		return web.Leave(w, r, "/signin?reset")
	}
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleLinkPage(account.ResetFor), view.Panel)
	}
	m := view.Form{Fields: view.NewPasswordFields()}
	var lost error
	if m.Email, lost = h.Accounts.FindReset(r.Context(), token(r)); lost != nil {
		return errors.Join(lost, err)
	}
	return h.again(w, r, m, err, view.NewPasswordPage)
}

func token(r *http.Request) secret.Text { return secret.New(chi.URLParam(r, "token")) }
