package pos

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// ShowMenu answers GET /pos/{client}.
func (h *Handler) ShowMenu(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	// After an order, the back button must not show the cached menu from before, without the order. The guest's cookie tells the two apart.
	w.Header().Add("Vary", "Cookie")
	c := choiceOf(menu, r.URL.Query())
	running := h.running(r, menu.Shop.Code)
	key := pageKey{c.table, ui.Of(r.Context()).Styles.Held("customer.css")}
	kept := running == nil && menu.Guests == nil && len(c.basket) == 0 && c.name == "" && c.wrong == "" && len(c.filter) == 0
	if page := h.pages.find(menu, key); kept && page != nil {
		return page.Send(w, r)
	}
	return h.turns.Make(w, r, func(w http.ResponseWriter, r *http.Request) error {
		if !kept {
			m := menuModel(menu, c)
			m.Running = running
			return web.Render(w, r, http.StatusOK, view.MenuPage(m))
		}
		page, err := h.pages.get(menu, key, func() (*web.Prepared, error) {
			return web.Prepare(r, view.MenuPage(menuModel(menu, c)))
		})
		if err != nil {
			return err
		}
		return page.Send(w, r)
	})
}

// running returns the order that the guest waits for, or nil. If the database does not answer, the menu goes without it.
func (h *Handler) running(r *http.Request, shop string) *order.Running {
	ids := h.own.List(r)
	if len(ids) == 0 {
		return nil
	}
	found, err := h.orders.Running(r.Context(), shop, ids)
	if err != nil {
		return nil
	}
	return found
}

// ChangeMenu answers POST /pos/{client}: a plus or a minus leads back to the menu, and View Order leads to the order.
func (h *Handler) ChangeMenu(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	c, item, changed := choiceOf(menu, r.URL.Query()).posted(menu, r.PostForm).pressed(r.PostForm)
	if asked := r.PostForm.Get("choose"); asked != "" {
		return web.Redirect(w, r, c.path(menu.Shop.Code, "/item/"+url.PathEscape(asked)))
	}
	if !changed || r.PostForm.Has("view") {
		return web.Redirect(w, r, c.path(menu.Shop.Code, "/order"))
	}
	return web.Redirect(w, r, c.path(menu.Shop.Code, "")+"#i"+strconv.FormatInt(item, 10))
}

// menuModel returns the page of a guest's choice.
func menuModel(menu *order.Menu, c choice) view.Menu {
	shop, picked, plain := menu.Shop, c.picked(), choice{table: c.table, name: c.name}
	m := view.Menu{
		Frame: web.CustomerFrame("Menu", shop, c.table, "menu.js"), Action: c.path(shop.Code, ""), Key: c.key, Filter: filterModel(menu, c),
		Count: c.basket.Count(), Total: money.Price(menu.Price(c.basket.Lines(), 0).Items, shop.Currency), Empty: menu.Empty(),
		Closures: menu.Closures, Surcharge: view.Surcharge(menu.Surcharge),
		Notice: strings.TrimSpace(c.wrong + " " + standing(menu)),
		Props: props.Basket{
			Shop: shop.Code, Live: shop.Live, Sign: money.Sign(shop.Currency), Table: c.table, Stray: c.stray, Wrong: c.wrong, Name: c.name,
			MenuURL: plain.path(shop.Code, ""), OrderURL: plain.path(shop.Code, "/order"),
			Rate: menu.Surcharge.Rate, Surcharge: menu.Surcharge.Name, Tips: menu.Tips,
		},
	}
	m.Frame.Description, m.Frame.Part = view.Describe(shop.Name, shop.Tagline), "menu.css"
	for _, group := range menu.Groups {
		for _, c := range group.Choices {
			m.Props.Choices = append(m.Props.Choices, props.Choice{ID: c.ID, Name: c.Label(), PriceMinor: c.Price, SoldOut: !c.OnSale()})
		}
	}
	told := len(m.Filter.Without)+len(m.Filter.Diets) > 0
	for _, category := range menu.Categories {
		shown := view.Category{ID: "c" + strconv.FormatInt(category.ID, 10), Name: category.Name}
		for _, item := range category.Items {
			row := view.Item{Item: item, Currency: shop.Currency, Picks: picked[item.ID]}
			if told {
				row.Allergens = view.Allergens(item.Told)
			}
			if fit := item.Fit(c.filter); fit.OK {
				row.Suits = view.ToAvoid(fit.Not)
				shown.Items = append(shown.Items, row)
			} else {
				m.Kept = append(m.Kept, keptOf(row)...)
			}
			delete(picked, item.ID)
			m.Props.Items = append(m.Props.Items, props.Item{
				ID: item.ID, Name: item.Name, PriceMinor: item.Price, Picture: web.PictureURL(item.Picture), SoldOut: item.SoldOut,
				Preset: item.Preset(), Closed: item.NotNow(),
			})
		}
		if len(shown.Items) > 0 {
			m.Categories = append(m.Categories, shown)
		}
	}
	var gone []string // from the menu, with the picks in picked
	for _, pick := range c.basket.Picks() {
		if id := pick.Item(); picked[id] != nil {
			gone, m.Kept = append(gone, menu.Item(id).Name), append(m.Kept, picked[id]...)
			for _, p := range picked[id] {
				m.Count -= p.Qty
			}
			delete(picked, id)
		}
	}
	m.Notice = strings.TrimSpace(m.Notice + " " + view.NotAvailable(gone, nil))
	return m
}

// standing says whether the menu takes orders now; "" if it does.
func standing(menu *order.Menu) string {
	opens := opening(menu)
	switch {
	case menu.Paused:
		return order.ErrPaused.Error()
	case menu.Guests != nil:
		return view.Trying(opening(menu.Guests))
	case opens != "":
		return view.NothingOpen(opens, menu.Shop.Live)
	}
	return ""
}

// picked returns the chosen picks of each item.
func (c choice) picked() map[int64][]view.Pick {
	all := map[int64][]view.Pick{}
	for _, pick := range c.basket.Picks() {
		all[pick.Item()] = append(all[pick.Item()], view.Pick{Value: string(pick), Qty: c.basket[pick]})
	}
	return all
}

// opening returns when the menu opens, or "" if something on it is on sale now.
func opening(menu *order.Menu) string {
	var first *order.Item
	for _, category := range menu.Categories {
		for _, item := range category.Items {
			switch {
			case !item.Closed:
				return ""
			case first == nil || first.Opens.IsZero() || !item.Opens.IsZero() && item.Opens.Before(first.Opens):
				first = item
			}
		}
	}
	if first == nil {
		return ""
	}
	return first.ClosedWords()
}

// keptOf returns the chosen picks of an item that the filter hides.
func keptOf(row view.Item) []view.Pick {
	if qty := row.Qty(); !row.Asks() && qty > 0 {
		return []view.Pick{{Value: strconv.FormatInt(row.ID, 10), Qty: qty}}
	}
	return row.Picks
}
