package pos

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
	"forecourt/views/ui"
)

// wish is what was typed on the page of an item.
type wish struct {
	options []int64
	note    string
	qty     int
}

// ShowItem answers GET /pos/{client}/item/{id}, where a guest chooses the options of an item before adding it to the order.
func (h *Handler) ShowItem(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	item, err := itemOf(menu, r)
	if err != nil {
		return err
	}
	c := choiceOf(menu, r.URL.Query())
	wanted := wish{options: preset(item, c.filter), qty: 1}
	if edited := editOf(r, item); edited != "" {
		wanted.note, wanted.qty = edited.Note(), max(c.basket[edited], 1)
		if options := edited.Options(); options != nil {
			wanted.options = options
		}
		if qty, _ := typed.Count(r.URL.Query().Get("qty")); qty > 0 {
			wanted.qty = qty // of a basket that the browser keeps
		}
	}
	page := itemForm(menu, c, item, wanted, editOf(r, item))
	page.Notice = c.wrong
	return web.Render(w, r, http.StatusOK, view.ItemPage(page))
}

// AddItem answers POST /pos/{client}/item/{id}: it adds the item to the order with the chosen options.
func (h *Handler) AddItem(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.menu(w, r)
	if menu == nil {
		return err
	}
	item, err := itemOf(menu, r)
	if err != nil {
		return err
	}
	c, wanted := choiceOf(menu, r.URL.Query()), wishOf(r.PostForm)
	pick, ok := wanted.pick(item)
	edited := editOf(r, item)
	page := itemForm(menu, c, item, wanted, edited)
	check(&page, item, wanted)
	if !page.Wrong() && page.Notice == "" && (!ok || menu.Make(pick.Line(wanted.qty)).Problem != "") {
		page.Notice = view.Changed
	}
	if page.Wrong() || page.Notice != "" {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.ItemPage(page))
	}
	if edited != "" {
		return web.Redirect(w, r, c.plus(edited, -order.MaxQty).plus(pick, wanted.qty).path(menu.Shop.Code, "/order"))
	}
	return web.Redirect(w, r, c.plus(pick, wanted.qty).path(menu.Shop.Code, "")+"#i"+strconv.FormatInt(item.ID, 10))
}

// editOf returns the pick of an item that a guest changes, or "" for a new one.
func editOf(r *http.Request, item *order.Item) order.Pick {
	if pick, ok := order.ParsePick(r.URL.Query().Get("edit")); ok && pick.Item() == item.ID {
		return pick
	}
	return ""
}

// itemPath returns the address of an item's page; with a pick, that pick is changed there.
func itemPath(c choice, shop string, item int64, edited order.Pick) string {
	address := c.path(shop, "/item/"+strconv.FormatInt(item, 10))
	if edited == "" {
		return address
	}
	join := "?"
	if strings.Contains(address, "?") {
		join = "&"
	}
	return address + join + "edit=" + url.QueryEscape(string(edited))
}

// preset returns the options that are chosen at first: the item's presets that suit the guest's filter.
func preset(item *order.Item, asked []string) []int64 {
	return slices.DeleteFunc(item.Preset(), func(id int64) bool {
		return slices.ContainsFunc(item.Groups, func(g *order.Group) bool {
			return slices.ContainsFunc(g.Choices, func(c order.Choice) bool { return c.ID == id && !c.Suits(asked) })
		})
	})
}

func itemOf(menu *order.Menu, r *http.Request) (*order.Item, error) {
	id, _ := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if item := menu.Item(id); item != nil && item.Available {
		return item, nil
	}
	return nil, fault.New(fault.NotFound, "no such item")
}

func wishOf(form url.Values) wish {
	wanted := wish{note: form.Get("note")}
	wanted.qty, _ = typed.Count(form.Get("qty"))
	for name, values := range form {
		if !strings.HasPrefix(name, "g.") {
			continue
		}
		for _, value := range values {
			if id, err := strconv.ParseInt(value, 10, 64); err == nil {
				wanted.options = append(wanted.options, id)
			}
		}
	}
	return wanted
}

// pick returns the wish in the form in which the basket keeps it; ok is false if it does not fit the item.
func (w wish) pick(item *order.Item) (pick order.Pick, ok bool) {
	if !item.Asks() {
		return order.ParsePick(strconv.FormatInt(item.ID, 10))
	}
	return order.NewPick(item.ID, w.options, w.note)
}

func itemForm(menu *order.Menu, c choice, item *order.Item, wanted wish, edited order.Pick) view.ItemForm {
	shop := menu.Shop
	form := view.ItemForm{
		Frame: web.CustomerFrame(item.Name, shop, c.table, "item.js"), Shop: shop.Code,
		Item:   view.Item{Item: item, Currency: shop.Currency},
		Action: itemPath(c, shop.Code, item.ID, edited), MenuURL: c.path(shop.Code, ""), Edit: string(edited),
		Qty: ui.Field{
			ID: "qty", Name: "qty", Label: "Quantity", Value: strconv.Itoa(wanted.qty), Type: "number", InputMode: "numeric", Required: true,
		},
	}
	form.Frame.Description = view.DescribeItem(item.Name, shop.Name)
	form.Item.Allergens = view.AllAllergens(item.Told)
	form.Item.Suits = view.ToAvoid(item.Fit(c.filter).Not)
	for _, group := range item.Groups {
		shown := groupModel(group, wanted.options, c.filter)
		shown.Listed = item.Listed()
		form.Groups = append(form.Groups, shown)
	}
	if item.NoteMax > 0 {
		form.Note = &ui.Field{
			ID: "note", Name: "note", Label: "Note to the kitchen", Value: wanted.note, MaxLength: item.NoteMax, Autocomplete: "off",
			Hint: view.NoteHint,
		}
	}
	return form
}

func groupModel(group *order.Group, chosen []int64, asked []string) view.Group {
	g := view.Group{Group: group}
	for _, choice := range group.Choices {
		if !choice.Available {
			continue
		}
		g.Choices = append(g.Choices, view.Choice{
			Choice: choice, Chosen: !choice.SoldOut && slices.Contains(chosen, choice.ID), Unfit: !choice.Suits(asked),
		})
	}
	return g
}

// check puts what is wrong with a wish into the form.
func check(form *view.ItemForm, item *order.Item, wanted wish) {
	for i, group := range item.Groups {
		count := 0
		for _, choice := range group.Choices {
			if !slices.Contains(wanted.options, choice.ID) {
				continue
			}
			count++
			if !choice.OnSale() {
				form.Groups[i].Problem = view.ChoiceGone(choice.Name)
			}
		}
		if !group.Fits(count) && form.Groups[i].Problem == "" {
			form.Groups[i].Problem = form.Groups[i].Missing()
		}
	}
	if note := form.Note; note != nil {
		note.Problem = typed.Tidy(&wanted.note, item.NoteMax, "note", "")
	}
	if wanted.qty < 1 || wanted.qty > order.MaxQty {
		form.Qty.Problem = view.QtyOutOfRange
	}
	switch {
	case item.Closed:
		form.Notice = item.NotNow()
	case item.SoldOut:
		form.Notice = view.NotAvailable([]string{item.Name}, nil)
	}
}
