package merchant

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
	accounts "forecourt/views/account"
	view "forecourt/views/merchant"
	"forecourt/views/ui"
)

// dashboard is a merchant's dashboard page.
type dashboard struct {
	one      merchant.Merchant
	mine     []merchant.Merchant
	revealed bool
	sent     bool
	email    string // as typed for an invitation
	problem  string
	unsure   string               // why no new secret was made
	ask      *accounts.Unverified // nil unless somebody tried to invite
}

// beforeInvite says what has to wait until the address is verified.
const beforeInvite = "you invite somebody"

// open returns the dashboard of the merchant in the address, for one of its admins.
func (h *Handler) open(r *http.Request) (d dashboard, err error) {
	id, err := named(r)
	if err != nil {
		return d, err
	}
	person, _ := session.Signed(r)
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
	person, _ := session.Signed(r)
	err = h.merchants.Invite(r.Context(), person.ID, d.one.UUID, d.email)
	if errors.Is(err, merchant.ErrEmail) {
		d.problem = view.EmailInvalid
		return h.render(w, r, http.StatusUnprocessableEntity, d)
	}
	if errors.Is(err, shop.ErrUnknownOwner) {
		d.problem = view.InviteUnproven
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
	person, _ := session.Signed(r)
	m := view.Dashboard{
		Frame: h.frame(r, "Integration Dashboard"), Name: d.one.Name, Code: d.one.Code,
		UUID: d.one.UUID.String(), Sent: d.sent, Unverified: d.ask,
		Invite: ui.Field{
			ID: "email", Name: "email", Label: "Invite somebody to this dashboard by email",
			Type: "email", Autocomplete: "off", Value: d.email, Problem: d.problem,
		},
	}
	m.Frame.Merchant, m.Frame.KeyURL = m.UUID, view.Path+"/"+m.UUID+"/secret"
	if d.one.Client != "" {
		m.Client, m.Desk = "/pos/"+d.one.Client, "/desk/"+d.one.Client
		shops, err := h.shops.Of(ctx, person.ID)
		if err != nil {
			return err
		}
		m.Live = slices.ContainsFunc(shops, func(one shop.Listed) bool { return one.Code == d.one.Client && one.Live })
	}
	for _, one := range d.mine {
		m.Others = append(m.Others, view.Other{
			Name: one.Name, URL: m.Frame.Address("m", one.UUID.String()), Current: one.UUID == d.one.UUID,
		})
	}
	m.ProductsURL, m.CallsURL = m.Frame.Below(m.UUID, "products"), m.Frame.Below(m.UUID, "calls")
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
		m.Admins = append(m.Admins, view.Admin{Email: a.Email, Name: a.Name, Until: until(a.Until, d.one.Zone)})
	}
	if d.one.Has(merchant.APICode) || h.hosted.OwnMerchants && d.one.Has(merchant.ShopCode) {
		key, err := h.merchants.Key(ctx, person.ID, d.one.UUID)
		lost := errors.As(err, new(*secret.LostError)) // the page is where a new one is made
		if err != nil && !lost {
			return err
		}
		if m.Secret, err = h.secretOf(r, d, key); err != nil {
			return err
		}
		m.Secret.Lost = lost
		if d.one.Has(merchant.APICode) {
			m.Credentials = h.credentials(d, key)
		}
	}
	if h.hosted.OwnMerchants && m.Secret != nil {
		m.Hosted = &view.Hosted{MerchantID: d.one.MID, PublicKey: merchant.PublicKey(d.one.UUID), URL: h.hosted.URL}
	}
	return web.Render(w, r, status, view.DashboardPage(m), fragments...)
}

// until returns the day on which something ends, or "" for the zero time.
func until(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return clock.Day(t, zone)
}
