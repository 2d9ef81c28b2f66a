package api

import (
	"cmp"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/shop/order"
)

type shopInfo struct {
	MerchantID string     `json:"merchantId"`
	Name       string     `json:"name"`
	Live       bool       `json:"live"`
	Currency   string     `json:"currency"`
	Brand      brandInfo  `json:"brand"`
	Categories []string   `json:"categories"`
	Items      []itemInfo `json:"items"`
}

type brandInfo struct {
	Accent  string `json:"accent"`
	Logo    string `json:"logo"`
	Tagline string `json:"tagline"`
}

type itemInfo struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Category    string `json:"cat"`
	Available   bool   `json:"available"`
	SoldOut     bool   `json:"soldOut"`
	Price       amount `json:"price"`
	Description string `json:"description"`
	Image       string `json:"image"`
	Loc         string `json:"loc"`
	// Groups and NoteMax are only on the menu: the options to choose from, and the length of the longest note.
	Groups  []groupInfo `json:"optionGroups,omitempty"`
	NoteMax int         `json:"noteMax,omitempty"`
}

type groupInfo struct {
	ID      int64        `json:"id"`
	Name    string       `json:"name"`
	Min     int          `json:"min"`
	Max     int          `json:"max"`
	Choices []choiceInfo `json:"choices"`
}

type choiceInfo struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Price   amount `json:"price"` // added to the item's
	Preset  bool   `json:"preset"`
	SoldOut bool   `json:"soldOut"`
}

func groupsOf(item *order.Item) []groupInfo {
	var groups []groupInfo
	for _, g := range item.Groups {
		group := groupInfo{ID: g.ID, Name: g.Name, Min: g.Min, Max: g.Max, Choices: []choiceInfo{}}
		for _, c := range g.Choices {
			if c.Available {
				group.Choices = append(group.Choices, choiceInfo{
					ID: c.ID, Name: c.Name, Price: amount(c.Price), Preset: c.Preset, SoldOut: c.SoldOut,
				})
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// ShowShop answers GET /api/pos/{client} with the menu.
func (h *Handler) ShowShop(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.Menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if err != nil {
		return web.Unknown(err, "client", "the code of a business")
	}
	info := shopInfo{
		MerchantID: menu.Shop.Code, Name: menu.Shop.Name, Live: menu.Shop.Live, Currency: menu.Shop.Currency,
		Brand:      brandInfo{Accent: menu.Shop.Accent, Logo: web.PictureURL(menu.Shop.Logo), Tagline: menu.Shop.Tagline},
		Categories: []string{}, Items: []itemInfo{},
	}
	for _, category := range menu.Categories {
		info.Categories = append(info.Categories, category.Name)
		for _, item := range category.Items {
			info.Items = append(info.Items, itemInfo{
				ID: item.ID, Name: item.Name, Category: item.Category, Available: item.Available, SoldOut: item.SoldOut,
				Price: amount(item.Price), Description: item.Description, Image: web.PictureURL(item.Picture), Loc: item.Loc,
				Groups: groupsOf(item), NoteMax: item.NoteMax,
			})
		}
	}
	return web.WriteJSON(w, http.StatusOK, info)
}

type transactionInfo struct {
	ID            string            `json:"id"`
	Amount        amount            `json:"amount"`
	Currency      string            `json:"currency"`
	Status        state.Transaction `json:"status"`
	Refunded      amount            `json:"refunded"` // what was refunded
	TestMode      bool              `json:"testMode"`
	Description   string            `json:"description"`
	ClientRef     string            `json:"clientRef"`
	TrxRef        string            `json:"trxRef"`
	Order         []lineInfo        `json:"order"`
	Surcharge     amount            `json:"surcharge"` // both are part of amount
	Tip           amount            `json:"tip"`
	OrderNo       *int32            `json:"orderNo,omitempty"` // of a paid order, in the business's day
	Table         string            `json:"table"`
	Name          string            `json:"name"`
	TransactionID string            `json:"transactionid"`
	Code          string            `json:"code"`
	ErrorMsg      string            `json:"errorMsg"`
	CountryCode   string            `json:"countryCode"`
	Date          time.Time         `json:"date"`
}

type lineInfo struct {
	Name  string `json:"name"`
	Price amount `json:"price"`
	Order struct {
		Qty      int        `json:"qty"`
		Refunded int        `json:"refunded,omitempty"` // of Qty
		Status   state.Line `json:"status"`
	} `json:"order"`
	// Options and Note are those of the order; Price includes the options.
	Options []optionInfo `json:"options,omitempty"`
	Note    string       `json:"note,omitempty"`
	// Info is the item: name, price, place and picture are as they were bought, the rest is as the menu has it now.
	Info itemInfo `json:"info"`
}

type optionInfo struct {
	ID    int64  `json:"id"`
	Group string `json:"group"`
	Name  string `json:"name"`
	Price amount `json:"price"`
}

// ShowTransaction answers GET /api/pos/{client}/{id}. Another client's transaction is not found.
func (h *Handler) ShowTransaction(w http.ResponseWriter, r *http.Request) error {
	shop, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	t, err := h.Payments.Find(r.Context(), shop, id)
	if err != nil {
		return web.Unknown(err, "id", "a transaction of this business")
	}
	info := transactionInfo{
		ID: t.ID, Amount: amount(t.AmountMinor), Currency: t.Currency, Status: t.Status,
		Refunded: amount(t.Position.RefundedMinor), TestMode: t.TestMode,
		Description: t.Description, ClientRef: t.ClientRef, TrxRef: t.TrxRef, Order: []lineInfo{}, Table: t.TableName, Name: t.CustomerName,
		TransactionID: t.Transactionid, Code: t.Code, ErrorMsg: t.ErrorMsg, CountryCode: t.CountryCode, Date: t.CreatedAt.UTC(),
		OrderNo: t.OrderNo,
	}
	for _, line := range t.Lines {
		switch line.Kind {
		case state.LineSurcharge:
			info.Surcharge += amount(line.PriceMinor)
			continue
		case state.LineTip:
			info.Tip += amount(line.PriceMinor)
			continue
		}
		shown := lineInfo{Name: line.Name, Price: amount(line.PriceMinor), Note: line.Note}
		for _, o := range line.Options {
			shown.Options = append(shown.Options, optionInfo{ID: o.ID, Group: o.Group, Name: o.Name, Price: amount(o.PriceMinor)})
		}
		shown.Order.Qty, shown.Order.Refunded, shown.Order.Status = int(line.Qty), int(line.RefundedQty), line.Status
		shown.Info = itemInfo{
			ID: *cmp.Or(line.ItemID, new(int64)), Name: line.Name, Category: line.Category, Available: line.Available, SoldOut: line.SoldOut,
			Price: amount(line.PriceMinor), Description: line.Description, Loc: line.Loc,
		}
		shown.Info.Image = web.PictureURL(line.Picture)
		info.Order = append(info.Order, shown)
	}
	return web.WriteJSON(w, http.StatusOK, info)
}
