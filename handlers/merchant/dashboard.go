package merchant

import (
	"errors"
	"net/http"
	"slices"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
	view "forecourt/views/merchant"
)

// beforeInvite says what has to wait until the address is verified.
const beforeInvite = "you invite somebody"

// open returns the dashboard of the merchant in the address, for one of its admins.
func (h *Handler) open(r *http.Request) (m view.Dashboard, err error) {
	id, err := named(r)
	if err != nil {
		return m, err
	}
	person, _ := session.Signed(r)
	if m.Mine, err = h.merchants.Of(r.Context(), person.ID); err != nil {
		return m, err
	}
	i := slices.IndexFunc(m.Mine, func(one merchant.Merchant) bool { return one.UUID == id })
	if i < 0 {
		return m, merchant.ErrMissing
	}
	m.One = m.Mine[i]
	return m, nil
}

// Invite answers POST /merchant/admin/{uuid}/admins.
func (h *Handler) Invite(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	m.Email = r.PostForm.Get("email")
	ask, err := h.accounts.AskVerified(r, beforeInvite)
	if err != nil {
		return err
	}
	if ask != nil {
		m.Unverified = ask
		status := http.StatusForbidden
		if ask.Sent {
			status = http.StatusOK
		}
		return h.render(w, r, status, m)
	}
	err = h.merchants.Invite(r.Context(), session.Who(r), m.One.UUID, m.Email)
	if errors.Is(err, merchant.ErrEmail) {
		m.Problem = view.EmailInvalid
		return h.render(w, r, http.StatusUnprocessableEntity, m)
	}
	if errors.Is(err, shop.ErrUnknownOwner) {
		m.Problem = view.InviteUnproven
		return h.render(w, r, http.StatusUnprocessableEntity, m)
	}
	if wait := (*throttle.Error)(nil); errors.As(err, &wait) {
		m.Problem = view.TooManyInvites(account.InvitesPerDay)
		return h.render(w, r, http.StatusTooManyRequests, m)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", m.One.UUID.String(), "sent", "1")+"#admins")
}

// render completes the dashboard and draws it.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, m view.Dashboard, fragments ...any) error {
	ctx := r.Context()
	person, _ := session.Signed(r)
	m.Frame = h.frame(r, "Integration Dashboard")
	m.Frame.Merchant, m.Frame.KeyURL = m.ID(), view.Path+"/"+m.ID()+"/secret"
	if m.One.Shop != "" {
		shops, err := h.shops.Of(ctx, person.ID)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(shops, func(one shop.Listed) bool { return one.Code == m.One.Shop }); i >= 0 {
			m.Live = shops[i].Live
			progress, err := h.golive.Progress(ctx, shop.Shop{Shop: db.Shop{Code: m.One.Shop, Live: m.Live}})
			if err != nil {
				return err
			}
			m.Done, m.Steps = progress.Count()
		}
	}
	draft, _, err := h.merchants.Draft(ctx, person.ID)
	if err != nil {
		return err
	}
	m.Draft = draft.Names.Business
	if m.Unverified == nil {
		if m.Unverified, err = h.accounts.AskVerified(r, beforeInvite); err != nil {
			return err
		}
	}
	if m.Admins, err = h.merchants.Admins(ctx, person.ID, m.One.UUID); err != nil {
		return err
	}
	if m.One.Has(merchant.APICode) || h.hosted.OwnMerchants && m.One.Has(merchant.ShopCode) {
		shown, err := h.merchants.Shown(ctx, person.ID, m.One)
		lost := errors.As(err, new(*secret.LostError)) // the page is where a new one is made
		if err != nil && !lost {
			return err
		}
		m.Secret = &view.Secret{Mark: shown.Mark, OldMark: shown.OldMark, Lost: lost, Text: m.Revealed.Reveal()}
		if m.One.Has(merchant.APICode) {
			m.Credentials = h.credentials(m.One, shown.Example)
		}
		if h.hosted.OwnMerchants {
			m.HostedURL = h.hosted.URL
		}
	}
	return web.Render(w, r, status, view.DashboardPage(m), fragments...)
}
