package merchant

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/merchant"
	"forecourt/internal/secret"
	"forecourt/internal/shop/shopstore"
	"forecourt/internal/throttle"
	accounts "forecourt/views/account"
	view "forecourt/views/merchant"
	"forecourt/views/ui"
)

// dashboard is a merchant as it is shown.
type dashboard struct {
	one      merchant.Merchant
	mine     []merchant.Merchant
	revealed bool
	sent     bool
	email    string // as typed for an invitation
	problem  string
	ask      *accounts.Unverified // nil unless an invitation was tried
}

// beforeInvite is what waits until an address is verified.
const beforeInvite = "you invite somebody"

// open is the dashboard of the merchant that the address names, for one of its admins.
func (h *Handler) open(r *http.Request) (d dashboard, err error) {
	id, err := named(r)
	if err != nil {
		return d, err
	}
	person, _ := web.Signed(r)
	if d.mine, err = h.merchants.Of(r.Context(), person.ID); err != nil {
		return d, err
	}
	for _, one := range d.mine {
		if one.UUID == id {
			d.one = one
			return d, nil
		}
	}
	return d, merchant.ErrMissing
}

// Reveal answers POST /merchant/admin/{uuid}/secret: the dashboard with its terminal secret, or the secret alone for the
// page's own script inside a frame. It is in no address and no cache.
func (h *Handler) Reveal(w http.ResponseWriter, r *http.Request) error {
	d, err := h.open(r)
	if err != nil {
		return err
	}
	if r.Header.Get("Accept") == "application/json" {
		person, _ := web.Signed(r)
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
	person, _ := web.Signed(r)
	if err := h.merchants.Rotate(r.Context(), person.ID, d.one.UUID, r.PostForm.Get("was")); err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", d.one.UUID.String())+"#credentials")
}

// Invite answers POST /merchant/admin/{uuid}/admins.
func (h *Handler) Invite(w http.ResponseWriter, r *http.Request) error {
	d, err := h.open(r)
	if err != nil {
		return err
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	d.email = r.PostForm.Get("email")
	ask, err := h.accounts.AskVerified(r, beforeInvite)
	if err != nil {
		return err
	}
	if ask != nil {
		d.ask = ask
		status := http.StatusForbidden
		if ask.Sent {
			status = http.StatusOK
		}
		return h.render(w, r, status, d)
	}
	person, _ := web.Signed(r)
	err = h.merchants.Invite(r.Context(), person.ID, d.one.UUID, d.email)
	if errors.Is(err, merchant.ErrEmail) {
		d.problem = view.EmailInvalid
		return h.render(w, r, http.StatusUnprocessableEntity, d)
	}
	if wait := (*throttle.Error)(nil); errors.As(err, &wait) {
		d.problem = view.TooManyInvites(account.InvitesPerDay)
		return h.render(w, r, http.StatusTooManyRequests, d)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", d.one.UUID.String(), "sent", "1")+"#admins")
}

func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, d dashboard, fragments ...any) error {
	ctx := r.Context()
	person, _ := web.Signed(r)
	m := view.Dashboard{
		Frame: h.frame(r, "Integration Dashboard"), Name: d.one.Name, Code: d.one.Code, UUID: d.one.UUID.String(), Sent: d.sent, Unverified: d.ask,
		Invite: ui.Field{ID: "email", Name: "email", Label: "Invite another admin by email", Type: "email", Autocomplete: "off", Value: d.email, Problem: d.problem},
	}
	m.Frame.Merchant, m.Frame.KeyURL = m.UUID, view.Path+"/"+m.UUID+"/secret"
	if d.one.Client != "" {
		m.Client, m.Desk = "/pos/"+d.one.Client, "/desk/"+d.one.Client
		shops, err := h.shops.Of(ctx, person.ID)
		if err != nil {
			return err
		}
		m.Live = slices.ContainsFunc(shops, func(one shopstore.Listed) bool { return one.Code == d.one.Client && one.Live })
	}
	for _, one := range d.mine {
		m.Others = append(m.Others, view.Other{
			Name: one.Name, URL: m.Frame.Address("m", one.UUID.String()), Current: one.UUID == d.one.UUID,
		})
	}
	for _, p := range d.one.Products {
		m.Cards = append(m.Cards, view.Card(p))
	}
	draft, found, err := h.merchants.Draft(ctx, person.ID)
	if err != nil {
		return err
	}
	if found {
		m.Draft = draft.Names.Business
	}
	if m.Unverified == nil {
		if m.Unverified, err = h.accounts.AskVerified(r, beforeInvite); err != nil {
			return err
		}
	}
	admins, err := h.merchants.Admins(ctx, person.ID, d.one.UUID)
	if err != nil {
		return err
	}
	for _, a := range admins {
		m.Admins = append(m.Admins, view.Admin{Email: a.Email, Name: a.Name, Until: day(a.Until)})
	}
	if d.one.Has(merchant.APICode) || h.hosted.OwnMerchants && d.one.Has(merchant.ShopCode) {
		key, err := h.merchants.Key(ctx, person.ID, d.one.UUID)
		if err != nil {
			return err
		}
		m.Secret = secretOf(d, key)
		if d.one.Has(merchant.APICode) {
			m.Credentials = h.credentials(d, key)
		}
	}
	if h.hosted.OwnMerchants && m.Secret != nil {
		m.Hosted = &view.Hosted{MerchantID: d.one.MID, PublicKey: merchant.PublicKey(d.one.UUID), URL: h.hosted.URL}
	}
	if m.Credentials != nil {
		calls, err := h.merchants.Calls(ctx, person.ID, d.one.UUID)
		if err != nil {
			return err
		}
		for _, c := range calls {
			m.Calls = append(m.Calls, view.Call{
				At: c.At.UTC().Format("2 Jan 15:04:05"), Machine: c.At.UTC().Format(time.RFC3339), Method: c.Method, Path: c.Path,
				Body: c.Body, Note: c.Note, Status: c.Status,
			})
		}
	}
	return web.Render(w, r, status, view.DashboardPage(m), fragments...)
}

// gatewayPlaceholder stands for the merchant in the address of the test gateway (ADMIN-33).
const gatewayPlaceholder = "{uuid}"

func (h *Handler) credentials(d dashboard, key secret.Text) *view.Credentials {
	gateway := strings.Replace(h.public.JoinPath("gateway").String()+"/"+gatewayPlaceholder+"/", gatewayPlaceholder, d.one.UUID.String(), 1)
	return &view.Credentials{
		AccountID: d.one.MID, StoreID: merchant.StoreID, DeviceID: merchant.DeviceID, URL: gateway,
		Curl: curl(gateway+"pay", merchant.Example(d.one, key)),
	}
}

func secretOf(d dashboard, key secret.Text) *view.Secret {
	s := &view.Secret{Mark: merchant.Mark(key)}
	if d.revealed {
		s.Text = key.Reveal()
	}
	if !d.one.OldUntil.IsZero() {
		s.OldUntil = d.one.OldUntil.UTC().Format("2 January 15:04 UTC")
	}
	return s
}

// curl is a line for a shell that makes a payment. Nothing in it needs quoting beyond the quotes around it.
func curl(address string, c merchant.Charge) string {
	body, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return ""
	}
	return "curl -sS '" + address + "' \\\n  -H 'Content-Type: application/json' \\\n  -d '" + string(body) + "'"
}

// day is a date for people, empty for no time.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 January")
}
