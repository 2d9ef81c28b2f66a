package merchant

import (
	"net/http"
	"net/url"
	"slices"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/merchant"
	view "forecourt/views/merchant"
)

// ShowProducts answers GET /merchant/admin/{uuid}/products with the form that changes the merchant's products.
func (h *Handler) ShowProducts(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	return h.renderProducts(w, r, http.StatusOK, m.One, chosenBy(m.One), "")
}

// SaveProducts answers POST /merchant/admin/{uuid}/products.
func (h *Handler) SaveProducts(w http.ResponseWriter, r *http.Request) error {
	m, err := h.open(r)
	if err != nil {
		return err
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	products, err := chosen(r.PostForm)
	if err != nil {
		return h.renderProducts(w, r, http.StatusUnprocessableEntity, m.One, r.PostForm, view.ChooseProduct)
	}
	if err := h.merchants.SaveProducts(r.Context(), session.Who(r), m.One.UUID, products); err != nil {
		return err
	}
	return web.Redirect(w, r, h.frame(r, "").Address("m", m.One.UUID.String())+"#products")
}

func (h *Handler) renderProducts(
	w http.ResponseWriter, r *http.Request, status int, one merchant.Merchant, picked url.Values, problem string,
) error {
	f, id := h.frame(r, "Products"), one.UUID.String()
	return web.Render(w, r, status, view.OfferPage(view.Offer{
		Frame: f, Back: f.Address("m", id), Action: f.Below(id, "products"), Name: one.Name, Change: true,
		Products: options(nil, nil, picked), Problem: problem,
	}))
}

// chosen reads the ticks of a form. Errors: those of merchant.Choose.
func chosen(posted url.Values) ([]merchant.Product, error) {
	picked := map[string][]string{}
	for _, p := range merchant.Catalogue() {
		picked[p.Code] = posted["option."+p.Code]
	}
	return merchant.Choose(posted["product"], picked)
}

// chosenBy returns the ticks that make a merchant's products.
func chosenBy(m merchant.Merchant) url.Values {
	ticks := url.Values{}
	for _, p := range m.Products {
		ticks.Add("product", p.Code)
		ticks["option."+p.Code] = p.Options
	}
	return ticks
}

// options ticks what is picked. If picked is nil it ticks the recommended products, and for each product, also one that may be ticked
// later, its suggested options.
func options(recommended, preselected []string, picked url.Values) []view.Option {
	var list []view.Option
	for _, p := range merchant.Catalogue() {
		o := view.Option{Code: p.Code, Name: p.Name, Recommended: slices.Contains(recommended, p.Code)}
		o.Ticked = o.Recommended
		ticked := p.Suggested(preselected)
		if picked != nil {
			o.Ticked = slices.Contains(picked["product"], p.Code)
			if o.Ticked {
				ticked = picked["option."+p.Code]
			}
		}
		for _, name := range p.Options {
			o.Options = append(o.Options, view.Choice{Name: name, Ticked: slices.Contains(ticked, name)})
		}
		list = append(list, o)
	}
	return list
}
