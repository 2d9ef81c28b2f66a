// Package shortlink resolves short codes to addresses, for people and programs.
package shortlink

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/shortlink"
	view "forecourt/views/shortlink"
	"forecourt/views/site"
)

// Handler serves /s/{code} and the same as JSON.
type Handler struct{ links *shortlink.Links }

// New follows links.
func New(links *shortlink.Links) *Handler { return &Handler{links: links} }

// Follow answers GET /s/{code}: 302 to where the code leads. Nobody keeps the answer, since the link may expire.
func (h *Handler) Follow(w http.ResponseWriter, r *http.Request) error {
	target, err := h.links.Follow(r.Context(), chi.URLParam(r, "code"))
	switch {
	case errors.Is(err, shortlink.ErrUnknown):
		return web.Render(w, r, http.StatusNotFound, site.ErrorPage(view.Unknown()))
	case errors.Is(err, shortlink.ErrExpired):
		return web.Render(w, r, http.StatusGone, site.ErrorPage(view.Expired()))
	case err != nil:
		return err
	}
	http.Redirect(w, r, target, http.StatusFound) //nolint:gosec // G710: an operator chose the target, checked by shortlink.Target
	return nil
}

// ShowTarget answers GET /api/shortcode/{code}: where the code leads, 404 where it does not. That is no hit.
func (h *Handler) ShowTarget(w http.ResponseWriter, r *http.Request) error {
	target, err := h.links.Target(r.Context(), chi.URLParam(r, "code"))
	if errors.Is(err, shortlink.ErrExpired) {
		return &web.APIError{Err: shortlink.ErrUnknown, Text: "The short link has expired."}
	}
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"url": target})
}
