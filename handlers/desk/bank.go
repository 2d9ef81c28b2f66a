package desk

import (
	"errors"
	"net/http"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// errAbroad means that a shop is not in Australia, whose accounts have a BSB.
var errAbroad = fault.New(fault.NotFound, "only a business in Australia has such an account here")

// ShowBank answers GET /desk/{client}/payouts/account: the account that the shop is paid into.
func (h *Handler) ShowBank(w http.ResponseWriter, r *http.Request) error {
	return h.renderBank(w, r, http.StatusOK, compliance.Mandate{}, nil)
}

// ChangeBank answers POST /desk/{client}/payouts/account: an owner asks to be paid into another account, as typed or that of the agreement.
func (h *Handler) ChangeBank(w http.ResponseWriter, r *http.Request) error {
	m, typed := session.MemberOf(r), compliance.Mandate{
		Name: r.PostForm.Get("name"), BSB: r.PostForm.Get("bsb"), Number: r.PostForm.Get("number"),
	}
	var err error
	switch do := r.PostForm.Get("do"); {
	case m.Shop.CountryCode != compliance.Australia:
		return errAbroad
	case do == "agreed":
		if typed, err = h.agreed(r); err != nil {
			return err
		}
	case do != "typed":
		return fault.New(fault.Invalid, "unknown button")
	}
	err = h.Records.AskAccount(r.Context(), m.Person, m.Shop.Code, typed)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return h.renderBank(w, r, http.StatusUnprocessableEntity, typed, problems)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "payouts/account")+"?done")
}

// agreed returns the account of the agreement that was signed for the shop. Errors: compliance.ErrMissing.
func (h *Handler) agreed(r *http.Request) (compliance.Mandate, error) {
	p, err := h.GoLive.Progress(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return compliance.Mandate{}, err
	}
	return h.Records.Agreed(r.Context(), p.Record)
}

// bank returns the account that the shop was paid into at a moment, and the one that it has asked for since.
func (h *Handler) bank(r *http.Request, at time.Time) (m view.Bank, err error) {
	one := session.MemberOf(r).Shop
	if m.Abroad = one.CountryCode != compliance.Australia; m.Abroad {
		return m, nil
	}
	if m.Paid, m.Asked, err = h.Records.PaidInto(r.Context(), one.Code, at); m.Asked != nil {
		m.Asked.AskedAt = m.Asked.AskedAt.In(one.Zone())
	}
	return m, err
}

func (h *Handler) renderBank(w http.ResponseWriter, r *http.Request, status int, typed compliance.Mandate, problems fault.Problems) error {
	m, err := h.bank(r, time.Now())
	if err != nil {
		return err
	}
	if m.Abroad {
		return errAbroad
	}
	m.Typed, m.Problems, m.Done = typed, problems, r.URL.Query().Has("done")
	if m.Owner = session.MemberOf(r).May(shop.Own); m.Owner {
		switch agreed, err := h.agreed(r); {
		case err == nil:
			m.Agreed = &compliance.Account{Mandate: agreed}
		case !errors.Is(err, compliance.ErrMissing) && !errors.As(err, new(*secret.LostError)):
			return err
		}
	}
	return web.Render(w, r, status, view.BankPage(Frame(r, "Your bank account"), m))
}
