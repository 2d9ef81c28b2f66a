package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
	view "forecourt/views/merchant"
)

// createRequest is the body of POST /api/create. Products are codes, or products of the catalogue with some of their options.
type createRequest struct {
	UID        string          `json:"uid"`
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	SignupInfo map[string]any  `json:"signupInfo"`
	Products   []createProduct `json:"products"`
}

type createProduct struct {
	Code    string   `json:"code"`
	Options []string `json:"options"`
	all     bool     // a code alone means every option
}

// UnmarshalJSON reads "api" as well as {"code": "api", "options": […]}.
func (p *createProduct) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &p.Code) == nil {
		p.all = true
		return nil
	}
	type plain createProduct
	return json.Unmarshal(text, (*plain)(p))
}

// merchantAnswer is a merchant as the API returns it (ADMIN-46).
type merchantAnswer struct {
	UID        uuid.UUID          `json:"uid"`
	UUID       uuid.UUID          `json:"uuid"`
	Code       string             `json:"code"`
	Name       string             `json:"name"`
	SignupInfo json.RawMessage    `json:"signupInfo"`
	Products   []merchant.Product `json:"products"`
	Key        string             `json:"key,omitempty"` // of one that is new, or for somebody who has just proved who they are
	MID        string             `json:"mid"`
}

// CreateMerchant answers POST /api/create, for the signed-in person only (ADMIN-51). If the same person repeats a name, it returns the same
// merchant with 200.
func (h *Handler) CreateMerchant(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	req, err := web.ReadJSON[createRequest](r)
	if err != nil {
		return err
	}
	if req.UID != "" && req.UID != person.ID.String() {
		return &web.APIError{
			Err: fault.New(fault.Forbidden, "another person's uid"), Text: "uid is not the signed-in account. Leave it out.", Field: "uid",
		}
	}
	products, err := chosen(req.Products)
	if err != nil {
		return &web.APIError{Err: err, Text: productsRule(), Field: "products"}
	}
	for _, unwanted := range []string{"password", "confirm"} {
		delete(req.SignupInfo, unwanted) // never kept
	}
	info := []byte("{}")
	if req.SignupInfo != nil {
		if info, err = json.Marshal(req.SignupInfo); err != nil {
			return err
		}
	}
	for _, text := range []struct{ field, value string }{{"code", req.Code}, {"name", req.Name}, {"signupInfo", string(info)}} {
		if card.HoldsCard(text.value) {
			return refuseOrder(w, &order.CardNumberError{Field: text.field})
		}
	}
	one, key, made, err := h.Merchants.Create(r.Context(), merchant.Asked{
		By: person.ID, Code: req.Code, Name: req.Name, SignupInfo: info, Products: products,
	})
	if errors.Is(err, merchant.ErrNames) {
		return web.Wrong("name", "has to be 2 to 200 printable characters")
	}
	if errors.As(err, new(*throttle.Error)) {
		return &web.APIError{Err: err, Text: view.TooManyMade(merchant.PerDay)}
	}
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if !made {
		status = http.StatusOK
		key, err = h.Merchants.Key(r.Context(), session.Who(r), one.UUID)
		if err != nil && !errors.Is(err, account.ErrUnproved) {
			return err
		}
	}
	return web.WriteJSON(w, status, map[string]merchantAnswer{"merchant": {
		UID: one.UID, UUID: one.UUID, Code: one.Code, Name: one.Name, SignupInfo: one.SignupInfo, Products: one.Products,
		Key: key.Reveal(), MID: one.MID,
	}})
}

// productsRule says which products can be chosen.
func productsRule() string {
	var codes []string
	for _, p := range merchant.Catalogue() {
		codes = append(codes, p.Code)
	}
	return "products has to be a list of at least one of " + strings.Join(codes, ", ") + ", each with only its own options."
}

func chosen(asked []createProduct) ([]merchant.Product, error) {
	var codes []string
	options := map[string][]string{}
	for _, p := range asked {
		codes = append(codes, p.Code)
		options[p.Code] = p.Options
		for _, known := range merchant.Catalogue() {
			if p.all && known.Code == p.Code {
				options[p.Code] = known.Options
			}
		}
	}
	return merchant.Choose(codes, options)
}
