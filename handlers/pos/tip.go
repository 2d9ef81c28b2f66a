package pos

import (
	"net/url"
	"slices"
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
	"forecourt/views/props"
)

// withTip returns the choice with the tip in a form or an address. A tip that the menu does not offer is none.
func (c choice) withTip(menu *order.Menu, from url.Values) choice {
	c.tip, c.other = "", ""
	offered := func(percent int32) bool { return percentText(percent) == from.Get("tip") }
	switch {
	case len(menu.Tips) == 0 || len(c.basket) == 0:
	case from.Get("tip") == view.OtherTip:
		c.tip, c.other = view.OtherTip, text(from.Get("other"))
	case slices.ContainsFunc(menu.Tips, offered):
		c.tip = from.Get("tip")
	}
	return c
}

// tipOf returns the chosen tip on what the items come to, and what to say of an amount that can be none.
func (c choice) tipOf(items int64, currency string) (tip int64, wrong string) {
	switch {
	case c.tip == "" || items == 0:
		return 0, ""
	case c.tip != view.OtherTip:
		percent, _ := strconv.ParseInt(c.tip, 10, 32)
		return order.TipOf(items, int32(percent)), ""
	}
	tip, err := typed.Amount(c.other, currency)
	if err != nil || tip == 0 || tip > money.Max/2 {
		return 0, props.TipMissing
	}
	return tip, ""
}

// tips lists what a guest may choose as the tip, beginning with none; nil where the business takes no tips.
func tips(menu *order.Menu, items int64) (list []view.Tip) {
	if len(menu.Tips) == 0 || items == 0 {
		return nil
	}
	list = append(list, view.Tip{Name: props.NoTip})
	for _, percent := range menu.Tips {
		value := percentText(percent)
		list = append(list, view.Tip{Value: value, Name: value + "%", Amount: order.TipOf(items, percent)})
	}
	return append(list, view.Tip{Value: view.OtherTip, Name: props.OtherTip})
}

func percentText(percent int32) string { return strconv.Itoa(int(percent)) }
