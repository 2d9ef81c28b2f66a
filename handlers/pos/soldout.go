package pos

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"forecourt/handlers/desk"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/kitchen"
	view "forecourt/views/pos"
)

// ShowSoldOut answers GET /desk/{client}/menu/soldout: the switches of the kitchen screen on the desk.
func (h *Kitchen) ShowSoldOut(w http.ResponseWriter, r *http.Request) error {
	return h.soldOut(w, r, http.StatusOK, "")
}

// ChangeSoldOut answers POST /desk/{client}/menu/soldout: one of the switches. Those of the menu's page lead back to it.
func (h *Kitchen) ChangeSoldOut(w http.ResponseWriter, r *http.Request) error {
	flip, at, ok := readSwitch(r.PostForm)
	if !ok {
		return fault.New(fault.Invalid, "unknown button")
	}
	err := h.Kitchens.Flip(r.Context(), shopOf(r), flip)
	if errors.Is(err, kitchen.ErrUntil) {
		return h.soldOut(w, r, http.StatusUnprocessableEntity, view.NoTime)
	}
	if err != nil {
		return err
	}
	page := menuOf(r)
	if r.PostForm.Get("from") != "menu" {
		page += "/soldout"
	}
	return web.Redirect(w, r, page+at)
}

func (h *Kitchen) soldOut(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	stock, err := h.Kitchens.Stock(r.Context(), shopOf(r))
	if err != nil {
		return err
	}
	m := view.SoldOut{Frame: desk.Frame(r, "Sold out"), MenuURL: menuOf(r), Stock: stock, Trouble: trouble}
	return web.Render(w, r, status, view.SoldOutPage(m))
}

func menuOf(r *http.Request) string { return desk.Path + "/" + shopOf(r) + "/menu" }

// readSwitch reads the button of an item or option: sellout=12 and sell=12 for an item, out=7 and on=7 for an option. until, with item=12
// or choice=7, says when it comes back. at is its anchor on the page; ok is false for any other button.
func readSwitch(form url.Values) (s kitchen.Switch, at string, ok bool) {
	for _, button := range []struct {
		name        string
		choice, out bool
	}{
		{"sellout", false, true}, {"sell", false, false}, {"out", true, true},
		{"on", true, false}, {"item", false, true}, {"choice", true, true},
	} {
		if !form.Has(button.name) {
			continue
		}
		s = kitchen.Switch{Choice: button.choice, Out: button.out}
		s.ID, _ = strconv.ParseInt(form.Get(button.name), 10, 64) // 0 is no item's id
		switch form.Get("until") {
		case "tomorrow":
			s.Until = kitchen.Tomorrow
		case "time":
			if s.Until = form.Get("time"); s.Until == "" {
				s.Until = "none" // no time of day
			}
		}
		at = "#i"
		if s.Choice {
			at = "#o"
		}
		return s, at + strconv.FormatInt(s.ID, 10), true
	}
	return s, "", false
}
