package pos

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// ShowOrder answers GET /pos/{client}/order.
func (h *Handler) ShowOrder(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	c := choiceOf(menu, r.URL.Query())
	if c.key == "" && len(c.basket) > 0 {
		// Without a key, two taps would make two orders, so the basket first gets an address with a key.
		return web.Redirect(w, r, c.with(c.basket).path(menu.Shop.Code, "/order"))
	}
	w.Header().Set("X-Robots-Tag", "noindex") // somebody's basket
	return web.Render(w, r, http.StatusOK, view.OrderPage(orderModel(menu, c, "")))
}

// ChangeOrder answers POST /pos/{client}/order: it changes a quantity, or makes the order.
func (h *Handler) ChangeOrder(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	c := choiceOf(menu, r.URL.Query()).posted(menu, r.PostForm).withTip(menu, r.PostForm)
	name, wrong := r.PostForm.Get("name"), ""
	if c.table == "" {
		wrong = typed.Tidy(&name, order.MaxName, "name", props.NameMissing)
		c.name = text(name)
	}
	c, _, changed := c.pressed(r.PostForm)
	if table := r.PostForm.Get("t"); r.PostForm.Has("seat") || r.PostForm.Has("t") && table != c.seat() {
		query := c.query()
		query.Set("t", table)
		query.Set("at", c.table)
		if moved := choiceOf(menu, query); moved.wrong == card.LeaveOut { // which no address may repeat
			return web.Render(w, r, http.StatusUnprocessableEntity, view.OrderPage(orderModel(menu, moved, "")))
		}
		return web.Redirect(w, r, "/pos/"+menu.Shop.Code+"/order?"+query.Encode())
	}
	if changed {
		return web.Redirect(w, r, c.path(menu.Shop.Code, "/order"))
	}
	m := orderModel(menu, c, "")
	_, m.TipField.Problem = c.tipOf(m.Items, m.Currency)
	if wrong != "" {
		m.NameField.Value, m.NameField.Problem = name, wrong
	}
	if len(c.basket) == 0 || wrong != "" || m.TipField.Problem != "" {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.OrderPage(m))
	}
	return h.place(w, r, menu, c, m.Tip)
}

// place makes the order and redirects to its payment page, or shows the order again with the reason why it cannot be made.
func (h *Handler) place(w http.ResponseWriter, r *http.Request, menu *order.Menu, c choice, tip int64) error {
	req := request(menu.Shop.Code, c)
	req.From, req.Own, req.AnyHour = h.proxies.Remote(r, h.own.HTTPS), h.own.List(r), h.trial.Of(r, req.Shop)
	req.Tip = tip
	if shown, err := money.Parse(r.PostForm.Get("amount")); err == nil {
		shown += tip
		req.Amount = &shown
	}
	id, again, err := h.orders.Create(r.Context(), req)
	if errors.Is(err, order.ErrKeyUsed) {
		paid, err := h.orders.PaidBefore(r.Context(), req)
		if err != nil {
			return err
		}
		if paid { // who went back and changed the tip, say, is asked before paying again
			c.key = rand.Text()
			return h.refuse(w, r, c, props.PaidAlready)
		}
	}
	if errors.Is(err, order.ErrKeyUsed) || errors.Is(err, order.ErrKey) {
		// The same address with another name or table is another order on purpose, and one only, however often it is sent.
		sum := sha256.Sum256([]byte(c.path(menu.Shop.Code, "")))
		req.Key = hex.EncodeToString(sum[:16])
		c.key = req.Key
		id, again, err = h.orders.Create(r.Context(), req)
	}
	var amount *order.AmountError
	var missing *order.UnavailableError
	var table *order.TableError
	var wait *throttle.Error
	switch {
	case errors.As(err, &amount):
		return h.refuse(w, r, c, view.PricesChanged(money.Price(amount.Amount, amount.Currency)))
	case errors.As(err, &missing):
		return h.refuse(w, r, c, view.NotAvailable(missing.Names, missing.NotNow()))
	case errors.As(err, &table): // removed from the list a moment ago
		c.table, c.stray, c.wrong = "", table.Table, table.Error()
		return h.refuse(w, r, c, "")
	case errors.Is(err, order.ErrPaused):
		return h.refuse(w, r, c, order.ErrPaused.Error())
	case errors.Is(err, order.ErrFree):
		return h.refuse(w, r, c, order.ErrFree.Error())
	case errors.As(err, &wait):
		w.Header().Set("Retry-After", strconv.Itoa(int(wait.After.Seconds())+1))
		return web.Render(w, r, http.StatusTooManyRequests, view.OrderPage(orderModel(menu, c, view.TooManyUnpaid)))
	case err != nil:
		return err
	case !again:
		h.own.Add(w, r, id)
	case !h.own.Has(r, id):
		paid, err := h.orders.Paid(r.Context(), menu.Shop.Code, id)
		if err != nil {
			return err
		}
		if paid {
			c.key = rand.Text()
			return h.refuse(w, r, c, props.PaidAlready)
		}
	}
	return web.Redirect(w, r, "/pos/"+menu.Shop.Code+"/"+id)
}

// refuse shows the order again, by the present menu.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, c choice, notice string) error {
	menu, err := h.menus.Fresh(r.Context(), chi.URLParam(r, "client"))
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusConflict, view.OrderPage(orderModel(h.trial.Menu(r, menu), c, notice)))
}

func request(shop string, c choice) order.Request {
	req := order.Request{
		Shop: shop, Name: c.name, Table: c.table, Description: order.FromMenu, Source: "diy-pos", Key: c.key,
		Lines: c.basket.Lines(),
	}
	return req
}

func orderModel(menu *order.Menu, c choice, notice string) view.Order {
	shop, lines := menu.Shop, c.basket.Lines()
	items := menu.Price(lines, 0).Items
	tip, _ := c.tipOf(items, shop.Currency)
	bill := menu.Price(lines, tip)
	o := view.Order{
		Frame: web.CustomerFrame("Your order", shop, c.table), Action: c.path(shop.Code, "/order"), MenuURL: c.path(shop.Code, ""), Key: c.key,
		Items: items, Extras: bill.Extras, Tip: tip, Total: bill.Total, Currency: shop.Currency, Notice: notice,
		Tips: tips(menu, items), ChosenTip: c.tip,
		TipField: ui.Field{ID: "tip", Name: "other", Label: props.TipAmount, Value: c.other, InputMode: "decimal", Autocomplete: "off"},
		TableField: ui.Field{
			ID: "table", Name: "t", Label: "Your table", Value: c.seat(), Problem: c.wrong, MaxLength: order.MaxName,
			Autofocus: c.wrong != "",
		},
		NameField: ui.Field{
			ID: "name", Name: "name", Label: props.NameLabel, Value: c.name,
			Autocomplete: "given-name", EnterKeyHint: "go", MaxLength: order.MaxName, Required: true,
		},
	}
	for i, pick := range c.basket.Picks() {
		if made := bill.Made[i]; made.Item != nil { // not gone from the menu altogether
			o.Lines = append(o.Lines, view.Line{Made: made, Pick: pick, Qty: lines[i].Qty, URL: itemPath(c, shop.Code, pick.Item(), pick)})
		}
	}
	if notice == "" && menu.Paused {
		o.Notice = order.ErrPaused.Error()
	}
	if o.Notice == "" && bill.Missing != nil {
		o.Notice = view.NotAvailable(bill.Missing.Names, bill.Missing.NotNow())
	}
	return o
}
