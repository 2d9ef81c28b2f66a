package merchant

import (
	"encoding/json"
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	view "forecourt/views/merchant"
)

// Reveal answers POST /merchant/admin/{uuid}/secret with the dashboard and its terminal secret, or with the secret alone for the page's own
// script inside a frame. The secret gets into no address and no cache.
func (h *Handler) Reveal(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	key, err := h.merchants.Key(r.Context(), session.Who(r), m.One.UUID)
	lost := errors.As(err, new(*secret.LostError)) // the page says so
	if err != nil && !lost {
		return err
	}
	if r.Header.Get("Accept") == "application/json" && !lost {
		return web.WriteJSON(w, http.StatusOK, map[string]string{"key": key.Reveal()})
	}
	m.Revealed = key
	return h.render(w, r, http.StatusOK, m, view.SecretFragment)
}

// Rotate answers POST /merchant/admin/{uuid}/rotate.
func (h *Handler) Rotate(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	err = h.merchants.Rotate(r.Context(), session.Who(r), m.One.UUID, r.PostForm.Get("was"), r.PostForm.Get("ends"))
	if errors.Is(err, merchant.ErrOldWorks) {
		m.Unsure = view.TickToEnd
		return h.render(w, r, http.StatusConflict, m)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", m.One.UUID.String())+"#credentials")
}

// credentials returns what opens a merchant's test gateway (ADMIN-33).
func (h *Handler) credentials(one merchant.Merchant, example merchant.Charge) *view.Credentials {
	gateway := h.public.JoinPath("gateway", one.UUID.String()).String() + "/"
	return &view.Credentials{
		URL: gateway, Curl: curl(gateway+"pay", example), Signed: example.Currency + string(example.Amount) + example.Reference,
	}
}

// curl returns a shell command that makes a payment. Nothing in it needs quoting beyond its single quotes.
func curl(address string, c merchant.Charge) string {
	body, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return ""
	}
	return "curl -sS '" + address + "' \\\n  -H 'Content-Type: application/json' \\\n  -d '" + string(body) + "'"
}
