package account

import (
	"context"
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// identity is the answer to the identity calls (AUTH-04, AUTH-05): POST /signin and /signup with JSON.
type identity struct {
	Success bool          `json:"success"`
	User    *identityUser `json:"user,omitempty"`
	Error   string        `json:"error,omitempty"`
}

type identityUser struct {
	UID   string `json:"uid"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// identify answers a call that has the same limits, and starts the same session, as the form.
func (h *Handler) identify(
	w http.ResponseWriter, r *http.Request, find func(context.Context, account.Credentials) (account.User, error),
) error {
	typed, err := web.ReadJSON[struct{ Email, Password string }](r)
	if err != nil {
		return h.refuseJSON(w, err)
	}
	user, err := find(r.Context(), account.Credentials{
		Email: typed.Email, Password: secret.New(typed.Password), From: h.Proxies.Client(r), Device: h.Sessions.Known(r),
	})
	if err != nil {
		return h.refuseJSON(w, err)
	}
	if user.TwoStep { // this call cannot take a code
		h.Sessions.Note(r, session.SignInHalf, user.ID.String(), "")
		if err := h.Accounts.LeftHalf(r.Context(), user.ID, h.Proxies.Client(r)); err != nil {
			return err
		}
		return web.WriteJSON(w, http.StatusForbidden, identity{Error: view.TwoStepElsewhere})
	}
	if err := h.start(w, r, user, ""); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, identity{
		Success: true, User: &identityUser{UID: user.ID.String(), Email: user.Email, Name: user.Name},
	})
}

// create returns a function that signs a person up. The password is its own confirmation: a caller may ask for it twice itself.
func (h *Handler) create(r *http.Request) func(context.Context, account.Credentials) (account.User, error) {
	return func(ctx context.Context, c account.Credentials) (account.User, error) {
		return h.Accounts.SignUp(ctx, account.NewUser{
			Credentials: c, Confirm: c.Password, Local: !h.Proxies.Remote(r, h.Sessions.HTTPS).IsValid(),
		})
	}
}

func (h *Handler) refuseJSON(w http.ResponseWriter, err error) error {
	var told *web.APIError
	if errors.As(err, &told) {
		return web.WriteJSON(w, web.Status(err), identity{Error: told.Text})
	}
	if fault.CodeOf(err) == fault.TooLarge {
		return web.WriteJSON(w, http.StatusRequestEntityTooLarge, identity{Error: view.TooLarge})
	}
	fields := view.SignUpFields("")
	status, text, known := h.explain(fields, err)
	if !known {
		return err
	}
	for _, field := range fields {
		if text == "" {
			text = field.Problem
		}
	}
	return web.WriteJSON(w, status, identity{Error: text})
}
