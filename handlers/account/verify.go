package account

import (
	"errors"
	"math"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	view "forecourt/views/account"
	"forecourt/views/forms"
	merchantview "forecourt/views/merchant"
)

// ShowVerify answers GET /verify/{token}, a mailed link. Opening it changes nothing, because programs open the links in mails, too.
func (h *Handler) ShowVerify(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	email, err := h.Accounts.FindVerification(r.Context(), token(r))
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleVerifyPage(account.VerifyFor))
	}
	if err != nil {
		return err
	}
	p, _ := session.Signed(r)
	return web.Render(w, r, http.StatusOK, view.VerifyPage(view.Verify{Email: email, You: p.Email}))
}

// Verify answers POST /verify/{token}.
func (h *Handler) Verify(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	p, _ := session.Signed(r)
	err := h.Accounts.Verify(r.Context(), p.ID, token(r))
	if errors.Is(err, account.ErrLink) {
		return web.Render(w, r, http.StatusGone, view.StaleVerifyPage(account.VerifyFor))
	}
	if err != nil {
		return err
	}
	to, err := h.goOn(r, p)
	if err != nil {
		return err
	}
	return web.Leave(w, r, to)
}

// goOn returns the page where a person who has just confirmed the address goes on: the questions or the form that they began, the business
// that they have not set up, or where they start after signing in.
func (h *Handler) goOn(r *http.Request, p account.Person) (string, error) {
	ctx := r.Context()
	mine, err := h.Shops.Of(ctx, p.ID)
	if err != nil || len(mine) > 0 {
		return h.desk(r, p.ID, p.Staff)
	}
	if draft, _, err := h.Merchants.Draft(ctx, p.ID); err != nil || draft.Named() {
		return merchantview.Path, err
	}
	for _, kind := range form.Kinds() {
		if f, err := h.Forms.Get(ctx, session.Who(r), kind); err != nil || f.Begun && f.Open() {
			return forms.StepURL(kind, f.Next()), err
		}
	}
	merchants, err := h.Merchants.Of(ctx, p.ID)
	switch {
	case err != nil || len(merchants) == 0:
		return h.desk(r, p.ID, p.Staff)
	case len(merchants) == 1 && !merchants[0].Has(merchant.APICode):
		return "/desk/new?m=" + merchants[0].UUID.String(), nil
	}
	return merchantview.Path, nil
}

// AskVerified returns the notice for a person whose address is not verified, or nil if it is. before says what has to wait. If the parsed
// form of r asks for another link, AskVerified sends one.
func (h *Handler) AskVerified(r *http.Request, before string) (*view.Unverified, error) {
	p, _ := session.Signed(r)
	if p.Verified {
		return nil, nil //nolint:nilnil // nothing to say is not an error
	}
	m := &view.Unverified{Email: p.Email, Before: before, Outbox: h.Outbox}
	if r.PostForm.Get("do") != view.SendLink {
		return m, nil
	}
	err := h.Accounts.AskVerification(r.Context(), p.ID, h.Proxies.Client(r))
	var wait *throttle.Error
	if errors.As(err, &wait) {
		m.Problem = view.TooManyLinks(int(math.Ceil(wait.After.Minutes())))
		return m, nil
	}
	m.Sent = err == nil
	return m, err
}
