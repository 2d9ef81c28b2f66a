package site

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/site/shortlink"
	"forecourt/views/site"
)

// Shortlink serves short links, /s/{code}, and their targets as JSON.
type Shortlink struct{ Links *shortlink.Links }

// Follow answers GET /s/{code} with 302 to the target. The answer is not cached, since the link may expire.
func (h *Shortlink) Follow(w http.ResponseWriter, r *http.Request) error {
	code := strings.TrimRight(chi.URLParam(r, "code")+chi.URLParam(r, "*"), "/")
	target, err := h.Links.Follow(r.Context(), code)
	switch {
	case errors.Is(err, shortlink.ErrUnknown):
		return web.Render(w, r, http.StatusNotFound, site.Failed(site.UnknownLink(web.RequestID(r))))
	case errors.Is(err, shortlink.ErrExpired):
		return web.Render(w, r, http.StatusGone, site.Failed(site.ExpiredLink(web.RequestID(r))))
	case err != nil:
		return err
	}
	http.Redirect(w, r, target, http.StatusFound) //nolint:gosec // G710: an operator chose the target, checked by shortlink.Target
	return nil
}

// ShowTarget answers GET /api/shortcode/{code} with the target, or with 404 if there is none. It does not count as a hit.
func (h *Shortlink) ShowTarget(w http.ResponseWriter, r *http.Request) error {
	target, err := h.Links.Target(r.Context(), chi.URLParam(r, "code"))
	if errors.Is(err, shortlink.ErrExpired) {
		return &web.APIError{Err: shortlink.ErrUnknown, Text: "The short link has expired.", Field: "code"}
	}
	if err != nil {
		return web.Unknown(err, "code", "a short link")
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"url": target})
}
