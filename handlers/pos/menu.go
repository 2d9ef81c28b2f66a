package pos

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/money"
	"forecourt/internal/order"
	"forecourt/views/layout"
	view "forecourt/views/pos"
	"forecourt/views/props"
)

// pictureSize of an item on the menu, in CSS pixels.
const pictureSize = 96

// ShowMenu answers GET /pos/{client}.
func (h *Handler) ShowMenu(w http.ResponseWriter, r *http.Request) error {
	web.Hint(w, r, "menu.js")
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	// The back button must not find the menu of before the order, which is cached without the guest's cookie.
	w.Header().Add("Vary", "Cookie")
	c := choiceOf(menu, r.URL.Query())
	running := h.running(r, menu.Client.Code)
	if running == nil && len(c.basket) == 0 && c.name == "" && c.stray == "" && len(c.filter) == 0 {
		styled := layout.Of(r.Context()).Styles.Held("customer.css")
		page, err := h.pages.get(menu, pageKey{c.table, styled}, func() (*web.Prepared, error) {
			return web.Prepare(r.Context(), view.MenuPage(menuModel(menu, c)))
		})
		if err != nil {
			return err
		}
		return page.Send(w, r)
	}
	m := menuModel(menu, c)
	m.Running = running
	return web.Render(w, r, http.StatusOK, view.MenuPage(m))
}

// running returns the order that the guest waits for, nil for none. The menu does without it where the database does not answer.
func (h *Handler) running(r *http.Request, client string) *view.Running {
	ids := h.own.List(r)
	if len(ids) == 0 {
		return nil
	}
	found, err := h.orders.Running(r.Context(), client, ids)
	if err != nil || found == nil {
		return nil
	}
	return &view.Running{URL: "/pos/" + client + "/" + found.ID, Table: found.Table, Ready: found.Ready}
}

// ChangeMenu answers POST /pos/{client}: a plus or a minus leads back to the menu, View Order to the order.
func (h *Handler) ChangeMenu(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	c, item, changed := choiceOf(menu, r.URL.Query()).posted(menu, r.PostForm).pressed(r.PostForm)
	if asked := r.PostForm.Get("choose"); asked != "" {
		return web.Redirect(w, r, c.path(menu.Client.Code, "/item/"+url.PathEscape(asked)))
	}
	if !changed {
		return web.Redirect(w, r, c.path(menu.Client.Code, "/order"))
	}
	return web.Redirect(w, r, c.path(menu.Client.Code, "")+"#i"+strconv.FormatInt(item, 10))
}

func menuModel(menu *order.Menu, c choice) view.Menu {
	client := menu.Client
	m := view.Menu{
		Frame: web.CustomerFrame("Menu", client, c.table, "menu.js"), Merchant: web.MerchantLook(client),
		Table: c.table, Name: c.name, Action: c.path(client.Code, ""), Key: c.key,
		Count: c.basket.Count(), Total: money.Dollars(c.basket.Total(menu)),
		Props: props.Basket{
			Client: client.Code, Live: client.Live, Table: c.table, Name: c.name,
			MenuURL:  choice{table: c.table, name: c.name}.path(client.Code, ""),
			OrderURL: choice{table: c.table, name: c.name}.path(client.Code, "/order"),
		},
	}
	m.Frame.Description = view.Describe(client.Name, client.Tagline)
	if opens := opening(menu); opens != "" {
		m.Notice = view.NothingOpen(opens)
	}
	if menu.Paused {
		m.Notice = view.Paused
	}
	m.Notice = strings.TrimSpace(c.notice() + " " + m.Notice)
	m.Empty = menu.Empty()
	m.Filter = filterModel(menu, c)
	listed := len(m.Filter.Without)+len(m.Filter.Diets) > 0
	for _, group := range menu.Groups {
		for _, c := range group.Choices {
			m.Props.Choices = append(m.Props.Choices, props.Choice{ID: c.ID, Name: c.Label(), PriceMinor: c.PriceMinor, SoldOut: !c.OnSale()})
		}
	}
	for _, category := range menu.Categories {
		shown := view.Category{ID: "c" + strconv.FormatInt(category.ID, 10), Name: category.Name}
		for _, item := range category.Items {
			row := itemModel(item)
			row.Qty = c.basket.Of(item.ID)
			for _, pick := range c.basket.Picks() {
				if pick.Item() == item.ID {
					row.Picks = append(row.Picks, view.Pick{Value: string(pick), Qty: c.basket[pick]})
				}
			}
			if listed {
				row.Allergens = view.Allergens(item.Told())
			}
			if fit := item.Fit(c.filter); fit.OK {
				row.Suits = view.Suits(fit.Not)
				shown.Items = append(shown.Items, row)
			} else {
				m.Kept = append(m.Kept, keptOf(row)...)
			}
			m.Props.Items = append(m.Props.Items, props.Item{
				ID: item.ID, Name: item.Name, PriceMinor: item.PriceMinor, Picture: row.Picture.Src, SoldOut: item.SoldOut,
				Preset: item.Preset(), Closed: item.NotNow(),
			})
		}
		if len(shown.Items) > 0 {
			m.Categories = append(m.Categories, shown)
		}
	}
	return m
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

// keptOf returns what is chosen of an item that the filter hides.
func keptOf(row view.Item) []view.Pick {
	if !row.Asks && row.Qty > 0 {
		return []view.Pick{{Value: strconv.FormatInt(row.ID, 10), Qty: row.Qty}}
	}
	return row.Picks
}

func itemModel(item *order.Item) view.Item {
	return view.Item{
		ID: item.ID, Name: item.Name, Description: item.Description, Price: money.Dollars(item.PriceMinor),
		PriceMinor: item.PriceMinor, Picture: web.Picture(item.Picture, pictureSize), SoldOut: item.SoldOut, Asks: item.Asks(),
		Closed: item.ClosedWords(),
	}
}
