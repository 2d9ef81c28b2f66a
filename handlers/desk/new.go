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
	"forecourt/views/layout"
)

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
		if asked == "" || asked == m.UUID.String() {
			d := shop.Details{
				Code: m.Code, Name: m.Name, Accent: "#2347c5", Currency: money.DefaultCurrency, Country: "AU", TimeZone: clock.Home, Mail: person.Email,
				Locations: []string{"Kitchen"},
			}
			if usual, ok := shop.UsualIn(told.Business.Country); ok {
				d.Country, d.Currency, d.TimeZone = told.Business.Country, usual.Currency, usual.TimeZone
			}
			return h.renderNew(w, r, http.StatusOK, newShop{merchant: m.UUID, Details: d}, nil)
		}
	}
	return web.Redirect(w, r, Path)
}

// newShop is the form of a shop that does not exist yet.
type newShop struct {
	shop.Details

	merchant uuid.UUID
	file     []byte // the uploaded logo; nil for none
	carried  string // the logo in the form in which the page carries it
}

// Create answers POST /desk/new. It stores the logo once the shop exists; until then the form carries it.
func (h *Handler) Create(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(r)
	if err != nil {
		return err
	}
	defer leave()
	sent, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return err
	}
	n := newShop{Details: typed(sent.Values)}
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
func (h *Handler) takeLogo(r *http.Request, n *newShop, sent web.Upload) (problem shop.Problem, err error) {
	if kept, err := base64.StdEncoding.DecodeString(sent.Values.Get("logo")); err == nil &&
		len(kept) > 0 && sent.Values.Get("logo-off") != "on" {
		n.file, n.carried = kept, sent.Values.Get("logo")
	}
	file := sent.Files["logo-file"]
	switch {
	case sent.Cut, sent.Large["logo-file"]:
		return picture.TooManyBytes, nil
	case len(file) == 0:
		return "", nil
	}
	carried, err := h.Shops.Carry(r.Context(), file)
	switch {
	case picture.Refused(err):
		return shop.Problem(picture.Reason(err)), nil
	case errors.Is(err, picture.ErrBusy):
		return shop.Busy, nil
	}
	n.file, n.carried = file, carried
	return "", err
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, n newShop) error {
	who, _ := session.Signed(r)
	person := shop.Person{ID: who.ID, Email: who.Email}
	code, problems, err := h.Shops.Create(r.Context(), person, n.merchant, n.Details)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return h.renderNew(w, r, http.StatusUnprocessableEntity, n, problems)
	}
	if n.file != nil {
		n.Logo, err = h.Shops.AddPicture(r.Context(), person, code, n.file)
		if err == nil {
			_, err = h.Shops.Save(r.Context(), person, code, n.Details)
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

func (h *Handler) renderNew(w http.ResponseWriter, r *http.Request, status int, n newShop, problems shop.Problems) error {
	refused := problems["logo"]
	if n.file != nil && n.carried == "" {
		refused = shop.Again
	}
	m := view.DetailsOf(n.Details, problems, lookOf(n.Accent, n.Name))
	m.Frame = layout.Desk{Title: "Set up your business"}
	m.Merchant, m.Action, m.Empty = n.merchant.String(), Path+"/new", r.Method == http.MethodGet
	m.Logo = view.NewLogoField(n.carried, refused)
	return web.Render(w, r, status, view.DetailsPage(m))
}
