// Package pos serves the order menu and the order view of a business.
package pos

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
	"forecourt/views/ui"
)

// Handler serves /pos/{client} and /pos/{client}/order.
type Handler struct {
	menus   *order.Menus
	orders  *order.Orders
	studio  *menu.Studio
	turns   *web.Turns
	proxies web.Proxies
	pages   pages
	own     session.OwnOrders
	trial   session.Preview
}

// New returns a Handler that serves menus, previews drafts from studio and makes orders. https says whether the site's public address uses
// it.
func New(menus *order.Menus, orders *order.Orders, studio *menu.Studio, turns *web.Turns, proxies web.Proxies, https bool) *Handler {
	return &Handler{
		menus: menus, orders: orders, studio: studio, turns: turns, proxies: proxies,
		own: session.OwnOrders{HTTPS: https}, trial: session.Preview{HTTPS: https},
	}
}

// menu returns the shop's menu; for a member of the team who tries it, everything on it is open. If there is no menu, it answers with the
// invalid-merchant screen and returns nil.
func (h *Handler) menu(w http.ResponseWriter, r *http.Request) (*order.Menu, error) {
	menu, err := h.menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if fault.CodeOf(err) == fault.NotFound {
		frame := ui.Site{Title: "Invalid merchant"}
		return nil, web.Render(w, r, http.StatusNotFound, view.InvalidMerchantPage(frame))
	}
	if err != nil {
		return nil, err
	}
	return h.trial.Menu(r, menu), nil
}

// choice is the basket, which an address carries, since the server keeps none: ?t=4&n=Ann&b=12x2.15x1&k=KEY. The key belongs to exactly
// these quantities and this name, so that going back and ordering again leads to the same transaction.
type choice struct {
	table, name string
	stray       string // what was typed as the table and cannot be one
	wrong       string // what to say of it; the choice then has the table before (at=4), if any
	basket      order.Basket
	key         string
	tip, other  string   // a percent of the items, or view.OtherTip with the amount in other; none if empty
	filter      []string // allergens to be free of, and diets
}

// choiceOf reads the choice in an address. It ignores whatever the menu does not have.
func choiceOf(menu *order.Menu, query url.Values) choice {
	c := choice{name: text(query.Get("n")), basket: order.ParseBasket(query.Get("b")), filter: filterOf(query)}
	table, before := query.Get("t"), text(query.Get("at"))
	missing := ""
	if before != "" {
		missing = "Enter your table."
	}
	if c.wrong = typed.Tidy(&table, order.MaxName, "table", missing); c.wrong == "" {
		if c.table, _ = menu.Table(table); c.table == "" && table != "" {
			c.wrong = (&order.TableError{Table: table}).Error()
		}
	}
	if c.wrong != "" {
		if c.wrong != card.LeaveOut {
			c.stray = table
		}
		c.table, _ = menu.Table(before)
	}
	key := query.Get("k")
	if before != "" && c.table != before {
		key = "" // another order
	}
	for _, pick := range c.basket.Picks() {
		if menu.Item(pick.Item()) == nil {
			c.basket.Set(pick, 0)
			key = ""
		}
	}
	if len(key) <= 64 && len(c.basket) > 0 {
		c.key = key
	}
	return c.withTip(menu, query)
}

// seat is what the field of the table shows.
func (c choice) seat() string { return cmp.Or(c.stray, c.table) }

// text returns a table or a name, or "" if no order could have it.
func text(s string) string {
	if typed.Tidy(&s, order.MaxName, "name", "") != "" {
		return ""
	}
	return s
}

// query returns the choice as it stands in an address.
func (c choice) query() url.Values {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("t", c.table)
	set("n", c.name)
	set("b", c.basket.String())
	set("k", c.key)
	set("tip", c.tip)
	set("other", c.other)
	for _, code := range c.filter {
		query.Add("f", code)
	}
	return query
}

// path returns the address of a shop's page ("", "/order") with this choice.
func (c choice) path(shop, page string) string {
	address := "/pos/" + shop + page
	if query := c.query(); len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// posted applies the quantities of a form to the choice of its address, and drops the key if they differ.
func (c choice) posted(menu *order.Menu, form url.Values) choice {
	basket := order.Basket{}
	for name, values := range form {
		text, ok := strings.CutPrefix(name, "qty.")
		if !ok {
			continue
		}
		if pick, ok := order.ParsePick(text); ok && menu.Item(pick.Item()) != nil {
			qty, _ := typed.Count(values[0]) // anything but a number counts as 0
			basket.Set(pick, qty)
		}
	}
	return c.with(basket)
}

// with returns the choice with other quantities, without a key that belongs to the old ones.
func (c choice) with(basket order.Basket) choice {
	if c.key == "" || basket.String() != c.basket.String() {
		c.key = rand.Text()
	}
	c.basket = basket
	return c
}

// plus returns the choice with more or fewer of a pick.
func (c choice) plus(pick order.Pick, change int) choice {
	basket := maps.Clone(c.basket)
	basket.Set(pick, basket[pick]+change)
	return c.with(basket)
}

// pressed applies the buttons that were pressed, if they change a quantity, and tells which item the last was for. A form names several if
// they were pressed while the page waited for its scripts.
func (c choice) pressed(form url.Values) (_ choice, item int64, changed bool) {
	for _, button := range []struct {
		name   string
		change int
	}{{"add", 1}, {"remove", -1}, {"drop", -order.MaxQty}} {
		for _, value := range form[button.name] {
			if pick, ok := order.ParsePick(value); ok {
				c, item, changed = c.plus(pick, button.change), pick.Item(), true
			}
		}
	}
	return c, item, changed
}
