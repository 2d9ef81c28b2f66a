package api

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/push"
)

// Push serves /api/push/v1 and /sw.js.
type Push struct {
	push    *push.Push // nil: off
	proxies web.Proxies
}

// NewPush serves the registrations of p. If p is nil, push is off.
func NewPush(p *push.Push, proxies web.Proxies) *Push { return &Push{push: p, proxies: proxies} }

// Answer serves a call for our own project. Its errors have the shape of PUSH-08.
func (h *Push) Answer(s *web.Responder, call web.HandlerFunc) http.HandlerFunc {
	return s.APIAs(pushError, h.project(call))
}

// pushError is the body of an error in the registration service of the specification (PUSH-08).
func pushError(refusal web.Refusal) any {
	body := map[string]string{"message": refusal.Error}
	if refusal.Field != "" {
		body["field"] = refusal.Field
	}
	return map[string]any{"error": body}
}

// project lets only calls for our own project through.
func (h *Push) project(next web.HandlerFunc) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if h.push == nil || chi.URLParam(r, "project") != h.push.ProjectID() {
			return &web.APIError{
				Err: fault.New(fault.NotFound, "no such push project"), Text: "project is not the project of this site.", Field: "project",
			}
		}
		return pushProblem(next(w, r))
	}
}

// Register answers POST …/registrations: a browser subscribes (PUSH-04).
func (h *Push) Register(w http.ResponseWriter, r *http.Request) error {
	subscription, err := readSubscription(r)
	if err != nil {
		return err
	}
	token, err := h.push.Register(r.Context(), h.proxies.Client(r), subscription)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, map[string]string{"token": token})
}

// Update answers PATCH …/registrations/{token} (PUSH-05).
func (h *Push) Update(w http.ResponseWriter, r *http.Request) error {
	subscription, err := readSubscription(r)
	if err != nil {
		return err
	}
	token := chi.URLParam(r, "token")
	if err := h.push.Update(r.Context(), token, subscription); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"token": token})
}

// Remove answers DELETE …/registrations/{token} (PUSH-06).
func (h *Push) Remove(w http.ResponseWriter, r *http.Request) error {
	token := chi.URLParam(r, "token")
	if err := h.push.Remove(r.Context(), token); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"token": token})
}

// readSubscription reads a registration (PUSH-07).
func readSubscription(r *http.Request) (push.Subscription, error) {
	type body struct {
		Web struct {
			Endpoint          string `json:"endpoint"`
			Auth              string `json:"auth"`
			P256dh            string `json:"p256dh"`
			ApplicationPubKey string `json:"applicationPubKey"`
		} `json:"web"`
	}
	b, err := web.ReadJSON[body](r)
	return push.Subscription{
		Endpoint: b.Web.Endpoint, Auth: b.Web.Auth, P256dh: b.Web.P256dh, ApplicationKey: b.Web.ApplicationPubKey,
	}, err
}

// parts are the rules for the parts of a subscription.
var parts = map[string]string{
	"endpoint":          "has to be an https address of a push service, of 1024 bytes at most",
	"auth":              "has to be 16 bytes in base64url",
	"p256dh":            "has to be a point on the curve P-256 in base64url",
	"applicationPubKey": "has to be this site's key, or left out",
}

// pushProblem returns an error with the text for the caller.
func pushProblem(err error) error {
	var invalid *push.InvalidError
	switch {
	case errors.As(err, &invalid):
		return &web.APIError{Err: err, Text: "web." + invalid.Part + " " + parts[invalid.Part] + ".", Field: "web." + invalid.Part}
	case fault.CodeOf(err) == fault.NotFound:
		return &web.APIError{Err: err, Text: "token is not a registration of this project.", Field: "token"}
	default:
		return err
	}
}
