package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowExtras answers GET /desk/{client}/surcharges: what the shop adds to orders.
func (h *Handler) ShowExtras(w http.ResponseWriter, r *http.Request) error {
	e, err := h.Shops.Extras(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	return h.renderExtras(w, r, http.StatusOK, view.Extras{Extras: e, Seen: e.Seen(), Saved: saved(r)})
}

// SaveExtras answers POST /desk/{client}/surcharges.
func (h *Handler) SaveExtras(w http.ResponseWriter, r *http.Request) error {
	member, e := session.MemberOf(r), shop.TypedExtras(r.PostForm)
	if !r.PostForm.Has("seen") {
		return fault.New(fault.Invalid, "not the form of the surcharges")
	}
	now, err := h.Shops.SetExtras(r.Context(), member.Person, member.Shop.Code, r.PostForm.Get("seen"), e)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return h.renderExtras(w, r, http.StatusUnprocessableEntity, view.Extras{Extras: e, Seen: now, Problems: problems})
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "surcharges")+"?saved")
}

func (h *Handler) renderExtras(w http.ResponseWriter, r *http.Request, status int, e view.Extras) (err error) {
	one := session.MemberOf(r).Shop
	if e.InAustralia = one.CountryCode == "AU"; e.InAustralia {
		if e.Coming, err = h.Shops.ComingHolidays(r.Context(), e.State); err != nil {
			return err
		}
	}
	if e.Problems == nil {
		e.Told = view.TellExtras(one)
	}
	return web.Render(w, r, status, view.ExtrasPage(Frame(r, "Surcharges and tips"), e))
}
