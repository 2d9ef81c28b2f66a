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

// logoSize is the size of a logo or a picture on its form, in CSS pixels.
const logoSize = 96

// ShowDetails answers GET /desk/{client}/shop.
func (h *Handler) ShowDetails(w http.ResponseWriter, r *http.Request) error {
	one, err := h.Shops.Details(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	return renderDetails(w, r, http.StatusOK, one, nil)
}

// SaveDetails answers POST /desk/{client}/shop.
func (h *Handler) SaveDetails(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	sent, err := h.receive(w, r, "logo", member.Shop.Logo)
	if err != nil {
		return err
	}
	one := shop.Typed(sent.Values)
	one.Code, one.Live, one.Logo = member.Shop.Code, member.Shop.Live, sent.Picture
	if one.Live { // a live shop keeps both
		one.Currency, one.CountryCode = member.Shop.Currency, member.Shop.CountryCode
	}
	if sent.Problem != "" {
		_, problems := one.Check()
		problems["logo"] = sent.Problem
		return renderDetails(w, r, sent.Status, one, problems)
	}
	if sent.Get("do") == "look" {
		return renderDetails(w, r, http.StatusOK, one, nil)
	}
	err = h.Shops.Save(r.Context(), member.Person, one)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return renderDetails(w, r, sent.Status, one, problems)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "shop")+"?saved")
}

func renderDetails(w http.ResponseWriter, r *http.Request, status int, one shop.Shop, problems fault.Problems) error {
	return web.Render(w, r, status, view.DetailsPage(frame(r, "Business"), address(r, "shop"), view.Details{
		Shop: one, Problems: problems, Saved: saved(r), Logo: view.LogoField(one.Logo, web.Picture(one.Logo, logoSize), problems["logo"]),
	}))
}

// saved reports whether a form that leads back to its page was just saved.
func saved(r *http.Request) bool { return r.Method != http.MethodPost && r.URL.Query().Has("saved") }

// ShowLook answers GET /desk/look with a small sample page in a colour.
func ShowLook(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LookPart(r.URL.Query().Get("accent"), r.URL.Query().Get("name")))
}
