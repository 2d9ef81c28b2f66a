package pos

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/shop/shop"
	view "forecourt/views/pos"
)

// ShowLink answers GET /kitchen/{token}, the link of a kitchen screen.
func (h *Kitchen) ShowLink(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	name, business, err := h.Shops.FindScreen(r.Context(), screenToken(r))
	if errors.Is(err, shop.ErrScreenLink) {
		return web.Render(w, r, http.StatusGone, view.StaleOpenPage())
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.OpenPage(name, business))
}

// OpenLink answers POST /kitchen/{token}: it makes this browser the kitchen screen by exchanging the link for a cookie.
func (h *Kitchen) OpenLink(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	code, cookie, err := h.Shops.OpenScreen(r.Context(), screenToken(r))
	if errors.Is(err, shop.ErrScreenLink) {
		return web.Render(w, r, http.StatusGone, view.StaleOpenPage())
	}
	if err != nil {
		return err
	}
	h.Sessions.SetScreen(w, cookie.Reveal())
	return web.Redirect(w, r, kitchenPath(code, ""))
}

func screenToken(r *http.Request) secret.Text { return secret.New(chi.URLParam(r, "token")) }
