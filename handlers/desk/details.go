package desk

import (
	"encoding/base64"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/run/picture"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// logoSize is the size of a logo or a picture on its form, in CSS pixels.
const logoSize = 96

// ShowDetails answers GET /desk/{client}/shop.
func (h *Handler) ShowDetails(w http.ResponseWriter, r *http.Request) error {
	one, err := h.Shops.Details(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	return renderDetails(w, r, http.StatusOK, one, one.Seen(), nil)
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
		return renderDetails(w, r, sent.Status, one, sent.Get("seen"), problems)
	}
	if sent.Get("do") == "look" {
		return renderDetails(w, r, http.StatusOK, one, sent.Get("seen"), nil)
	}
	one, seen, err := h.Shops.Save(r.Context(), member.Person, one, sent.Get("seen"))
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return renderDetails(w, r, sent.Status, one, seen, problems)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "shop")+"?saved")
}

func renderDetails(w http.ResponseWriter, r *http.Request, status int, one shop.Shop, seen string, problems fault.Problems) error {
	return web.Render(w, r, status, view.DetailsPage(Frame(r, "Business"), address(r, "shop"), view.Details{
		Shop: one, Seen: seen, Problems: problems, Saved: saved(r),
		Logo: view.LogoField(one.Logo, ui.PictureOf(one.Logo, logoSize), problems["logo"]),
	}))
}

// saved reports whether a form that leads back to its page was just saved.
func saved(r *http.Request) bool { return r.Method != http.MethodPost && r.URL.Query().Has("saved") }

// ShowLook answers GET /desk/look with a small sample page in a colour.
func ShowLook(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LookPart(r.URL.Query().Get("accent"), r.URL.Query().Get("name")))
}

// ShowNew answers GET /desk/new: the form of a shop, prefilled with what its merchant and the person have told us before.
func (h *Handler) ShowNew(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	ready, err := h.Shops.Ready(r.Context(), person.ID)
	if err != nil {
		return err
	}
	told, err := h.People.Of(r.Context(), person.ID)
	if err != nil {
		return err
	}
	asked := r.URL.Query().Get("m")
	for _, m := range ready {
		if asked == "" || asked == m.Uuid.String() {
			one := shop.Shop{Locations: []string{"Kitchen"}}
			one.Name, one.Mail, one.Accent = m.Name, person.Email, "#2347c5"
			if one.Code, err = h.Shops.Propose(r.Context(), m); err != nil {
				return err
			}
			one.Currency, one.CountryCode, one.TimeZone = money.DefaultCurrency, "AU", clock.Home
			if usual, ok := shop.UsualIn(told.Business.Country); ok {
				one.CountryCode, one.Currency, one.TimeZone = told.Business.Country, usual.Currency, usual.TimeZone
			}
			return h.renderNew(w, r, http.StatusOK, newShop{merchant: m.Uuid, Shop: one}, nil)
		}
	}
	return web.Redirect(w, r, Path)
}

// newShop is the form of a shop that does not exist yet.
type newShop struct {
	shop.Shop

	merchant uuid.UUID
	file     []byte // the uploaded logo; nil for none
	carried  string // the logo in the form in which the page carries it
}

// Create answers POST /desk/new. It stores the logo once the shop exists; until then the form carries it.
func (h *Handler) Create(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(w, r, session.Who(r).ID.String())
	if err != nil {
		return err
	}
	defer leave()
	sent, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return err
	}
	n := newShop{Shop: shop.Typed(sent.Values)}
	if n.merchant, err = uuid.Parse(sent.Values.Get("m")); err != nil {
		return fault.Wrap(fault.NotFound, err, "no uuid")
	}
	problem, err := h.takeLogo(r, &n, sent)
	if err != nil {
		return err
	}
	if sent.Values.Get("do") == "look" && problem == "" {
		return h.renderNew(w, r, http.StatusOK, n, nil)
	}
	if problem != "" {
		_, problems := n.Check()
		n.CheckCode(problems)
		problems["logo"] = problem
		return h.renderNew(w, r, http.StatusUnprocessableEntity, n, problems)
	}
	return h.create(w, r, n)
}

// takeLogo reads the logo that a form sends or carries, and says why it is refused. A refused file leaves the one that the form carries.
func (h *Handler) takeLogo(r *http.Request, n *newShop, sent web.Upload) (problem string, err error) {
	if kept, err := base64.StdEncoding.DecodeString(sent.Values.Get("logo")); err == nil &&
		len(kept) > 0 && sent.Values.Get("logo-off") != "on" {
		n.file, n.carried = kept, sent.Values.Get("logo")
	}
	file := sent.Files["logo-file"]
	switch {
	case sent.Cut, sent.Large["logo-file"]:
		return picture.ErrBytes.Error(), nil
	case len(file) == 0:
		return "", nil
	}
	carried, err := h.Shops.Carry(r.Context(), file)
	switch {
	case picture.Refused(err), errors.Is(err, picture.ErrBusy):
		return err.Error(), nil
	}
	n.file, n.carried = file, carried
	return "", err
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, n newShop) error {
	person := session.Who(r)
	code, err := h.Shops.Create(r.Context(), person, n.merchant, n.Shop)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return h.renderNew(w, r, http.StatusUnprocessableEntity, n, problems)
	}
	if err != nil {
		return err
	}
	if n.file != nil {
		n.Logo, err = h.Shops.AddPicture(r.Context(), person, code, n.file)
		if err == nil {
			n.Code = code
			_, _, err = h.Shops.Save(r.Context(), person, n.Shop, "")
		}
		// what the form carried is no picture, or there was no free slot to decode it
		if picture.Refused(err) || errors.Is(err, picture.ErrBusy) {
			return web.Redirect(w, r, Path+"/"+code+"/shop")
		}
		if err != nil {
			return err
		}
	}
	return web.Redirect(w, r, Path+"/"+code)
}

func (h *Handler) renderNew(w http.ResponseWriter, r *http.Request, status int, n newShop, problems fault.Problems) error {
	refused := problems["logo"]
	if n.file != nil && n.carried == "" {
		refused = "Choose the logo again: this one is too large to be kept while you correct the rest."
	}
	return web.Render(w, r, status, view.DetailsPage(ui.Desk{Title: "Set up your business"}, Path+"/new", view.Details{
		Shop: n.Shop, Problems: problems, Merchant: n.merchant.String(), Empty: r.Method == http.MethodGet,
		Logo: view.NewLogoField(n.carried, refused),
	}))
}
