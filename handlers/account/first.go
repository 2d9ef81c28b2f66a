package account

import (
	"errors"
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowFirst answers GET /first/{token}, the link that the first start prints.
func (h *Handler) ShowFirst(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	err := h.Accounts.FindFirst(r.Context(), token(r))
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleFirstPage(account.FirstFor))
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.FirstPage(view.Form{Fields: view.SignUpFields("")}))
}

// MakeFirst answers POST /first/{token}: it makes the first staff account and signs the person in.
func (h *Handler) MakeFirst(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	if err := web.ParseForm(r); err != nil {
		return err
	}
	user, err := h.Accounts.MakeFirst(r.Context(), token(r), account.NewUser{
		Credentials: h.credentials(r), Confirm: secret.New(r.PostForm.Get("confirm")),
	})
	if err == nil {
		if err := h.start(w, r, user, ""); err != nil {
			return err
		}
		return web.Leave(w, r, "/staff")
	}
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleFirstPage(account.FirstFor), view.Panel)
	}
	return h.again(w, r, view.Form{Fields: view.SignUpFields(r.PostForm.Get("email"))}, err, view.FirstPage)
}
