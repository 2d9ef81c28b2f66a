package merchant

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	view "forecourt/views/merchant"
)

// Reveal answers POST /merchant/admin/{uuid}/secret with the dashboard and its terminal secret, or with the secret alone for the page's own
// script inside a frame. The secret gets into no address and no cache.
func (h *Handler) Reveal(w http.ResponseWriter, r *http.Request) error {
	d, err := h.open(r)
	if err != nil {
		return err
	}
	if r.Header.Get("Accept") == "application/json" {
		person, _ := session.Signed(r)
		key, err := h.merchants.Key(r.Context(), person.ID, d.one.UUID)
		if err != nil {
			return err
		}
		return web.WriteJSON(w, http.StatusOK, map[string]string{"key": key.Reveal()})
	}
	d.revealed = true
	return h.render(w, r, http.StatusOK, d, view.SecretFragment)
}

// Rotate answers POST /merchant/admin/{uuid}/rotate.
func (h *Handler) Rotate(w http.ResponseWriter, r *http.Request) error {
	d, err := h.open(r)
	if err != nil {
		return err
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	person, _ := session.Signed(r)
	err = h.merchants.Rotate(r.Context(), person.ID, d.one.UUID, r.PostForm.Get("was"), r.PostForm.Get("ends"))
	if errors.Is(err, merchant.ErrOldWorks) {
		d.unsure = view.TickToEnd
		return h.render(w, r, http.StatusConflict, d)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", d.one.UUID.String())+"#credentials")
}

// gatewayPlaceholder stands for the merchant in the address of the test gateway (ADMIN-33).
const gatewayPlaceholder = "{uuid}"

func (h *Handler) credentials(d dashboard, key secret.Text) *view.Credentials {
	gateway := strings.Replace(h.public.JoinPath("gateway").String()+"/"+gatewayPlaceholder+"/", gatewayPlaceholder, d.one.UUID.String(), 1)
	example := merchant.Example(d.one, key)
	return &view.Credentials{
		AccountID: d.one.MID, StoreID: merchant.StoreID, DeviceID: merchant.DeviceID, URL: gateway,
		Curl: curl(gateway+"pay", example), Signed: example.Currency + string(example.Amount) + example.Reference,
	}
}

func (h *Handler) secretOf(r *http.Request, d dashboard, key secret.Text) (*view.Secret, error) {
	s := &view.Secret{Mark: merchant.Mark(key), Problem: d.unsure}
	if d.revealed {
		s.Text = key.Reveal()
	}
	person, _ := session.Signed(r)
	old, err := h.merchants.OldKey(r.Context(), person.ID, d.one.UUID)
	if s.OldMark = merchant.Mark(old); s.OldMark != "" {
		s.OldUntil = clock.Text(d.one.OldUntil, d.one.Zone)
	}
	return s, err
}

// curl returns a shell command that makes a payment. Nothing in it needs quoting beyond its single quotes.
func curl(address string, c merchant.Charge) string {
	body, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return ""
	}
	return "curl -sS '" + address + "' \\\n  -H 'Content-Type: application/json' \\\n  -d '" + string(body) + "'"
}
