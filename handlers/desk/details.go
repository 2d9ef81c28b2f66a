package desk

import (
	"net/http"
	"net/url"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// logoSize is the size of a logo or a picture on its form, in CSS pixels.
const logoSize = 96

// ShowDetails answers GET /desk/{client}/shop.
func (h *Handler) ShowDetails(w http.ResponseWriter, r *http.Request) error {
	d, err := h.Shops.Details(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	return h.renderDetails(w, r, http.StatusOK, d, nil)
}

// SaveDetails answers POST /desk/{client}/shop.
func (h *Handler) SaveDetails(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	sent, err := h.receive(w, r, "logo", member.Shop.Logo)
	if err != nil {
		return err
	}
	d := typed(sent.Values)
	d.Logo = sent.Picture
	if member.Shop.Live { // a live shop keeps both
		d.Currency, d.Country = member.Shop.Currency, member.Shop.Country
	}
	if sent.Problem != "" {
		_, problems := d.Check()
		problems["logo"] = sent.Problem
		return h.renderDetails(w, r, sent.Status, d, problems)
	}
	if sent.Get("do") == "look" {
		return h.renderDetails(w, r, http.StatusOK, d, nil)
	}
	problems, err := h.Shops.Save(r.Context(), member.Person, member.Shop.Code, d)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return h.renderDetails(w, r, sent.Status, d, problems)
	}
	return web.Redirect(w, r, address(r, "shop")+"?saved")
}

func (h *Handler) renderDetails(w http.ResponseWriter, r *http.Request, status int, d shop.Details, problems shop.Problems) error {
	m := view.DetailsOf(d, problems, lookOf(d.Accent, d.Name))
	m.Frame, m.Action, m.Live = frame(r, "Business"), address(r, "shop"), session.MemberOf(r).Shop.Live
	m.Logo = view.LogoField(d.Logo, web.Picture(d.Logo, logoSize), problems["logo"])
	m.Saved = r.Method != http.MethodPost && r.URL.Query().Has("saved")
	return web.Render(w, r, status, view.DetailsPage(m))
}

// typed reads the form of a shop.
func typed(form url.Values) shop.Details {
	return shop.Details{
		Code: strings.ToLower(strings.TrimSpace(form.Get("code"))), Name: form.Get("name"),
		Tagline: form.Get("tagline"), Accent: form.Get("accent"),
		Currency: form.Get("currency"), Country: form.Get("country"), TimeZone: form.Get("timezone"), ABN: form.Get("abn"),
		GSTIncluded: form.Get("gst") == "on", Mail: form.Get("mail"), Locations: strings.Split(form.Get("locations"), "\n"),
		Hours: form.Get("hours"),
	}
}
