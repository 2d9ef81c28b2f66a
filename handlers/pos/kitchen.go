package pos

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/kitchen"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/shop"
	view "forecourt/views/pos"
)

// Kitchen serves /pos/{client}/kitchen, the link to it, and the switches of the desk.
type Kitchen struct {
	Teams    *session.Teams
	Shops    *shop.Shops
	Kitchens *kitchen.Kitchens
	Menus    *order.Menus
	Sessions *session.Sessions
	Live     *pubsub.Hub
	Streams  *throttle.Places
	Proxies  web.Proxies
}

// clientOf returns the code of the business in the address; the route has checked that this person may open it.
func shopOf(r *http.Request) string { return session.MemberOf(r).Shop.Code }

// ShowScreen answers GET /pos/{client}/kitchen?ticket=ID; of an order it shows what is printed.
func (h *Kitchen) ShowScreen(w http.ResponseWriter, r *http.Request) error {
	code := shopOf(r)
	if err := h.Kitchens.Seen(r.Context(), code); err != nil {
		return err
	}
	if session.MemberOf(r).Role == shop.KitchenScreen {
		h.Sessions.KeepScreen(w, r)
	}
	screen, err := h.screen(r, code)
	if err != nil {
		return err
	}
	if id := r.URL.Query().Get("ticket"); id != "" {
		if screen.Only(id); len(screen.Locations) == 0 {
			return fault.New(fault.NotFound, "no such open order")
		}
		return web.Render(w, r, http.StatusOK, view.SlipPage(screen))
	}
	return web.Render(w, r, http.StatusOK, view.ScreenPage(screen))
}

// Tap answers POST /pos/{client}/kitchen, one button of the screen. A script that wants no page gets 204.
func (h *Kitchen) Tap(w http.ResponseWriter, r *http.Request) error {
	code := shopOf(r)
	if err := web.ParseForm(r); err != nil {
		return err
	}
	at, err := h.carryOut(r, code)
	if errors.Is(err, kitchen.ErrUntil) {
		screen, err := h.screen(r, code)
		if err != nil {
			return err
		}
		screen.Trouble = view.NoTime
		return web.Render(w, r, http.StatusUnprocessableEntity, view.ScreenPage(screen))
	}
	if err != nil {
		return err
	}
	if r.Header.Get("Prefer") == "return=minimal" {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return web.Redirect(w, r, kitchenPath(code, r.URL.Query().Get("loc"))+at)
}

// carryOut carries out a button. at is the anchor of the result on the page, such as "#i12".
func (h *Kitchen) carryOut(r *http.Request, code string) (at string, err error) {
	ctx, form := r.Context(), r.PostForm
	if flip, at, ok := readSwitch(form); ok {
		return at, h.Kitchens.Flip(ctx, code, flip)
	}
	switch {
	case form.Has("done"), form.Has("undo"):
		// Several, if they were tapped while the page waited for its script.
		err := each(form["done"], func(trx, loc string) error { return h.Kitchens.Done(ctx, code, trx, loc) })
		if err == nil {
			err = each(form["undo"], func(trx, loc string) error { return h.Kitchens.Undo(ctx, code, trx, loc) })
		}
		return "", err
	case form.Get("require") == "on", form.Get("require") == "off":
		return "#menu", h.Kitchens.Require(ctx, code, form.Get("require") == "on")
	case form.Get("pause") == "on", form.Get("pause") == "off":
		return "", h.Kitchens.Pause(ctx, code, form.Get("pause") == "on")
	default:
		return "", fault.New(fault.Invalid, "unknown button")
	}
}

// each carries out the buttons of orders at locations.
func each(values []string, do func(trx, loc string) error) error {
	for _, value := range values {
		trx, loc, _ := strings.Cut(value, " ")
		if !printable.Line(trx, 36) || !printable.Line(loc, 200) {
			return fault.New(fault.NotFound, "not the id of an order")
		}
		if err := do(trx, loc); err != nil {
			return err
		}
	}
	return nil
}

func kitchenPath(code, loc string) string {
	path := "/pos/" + code + "/kitchen"
	if loc != "" {
		path += "?" + url.Values{"loc": {loc}}.Encode()
	}
	return path
}

// ShowEvents answers GET /pos/{client}/kitchen/events: first the whole board, if the browser shows another one, then its changes. The
// stream ends with the session.
func (h *Kitchen) ShowEvents(w http.ResponseWriter, r *http.Request) error {
	code := shopOf(r)
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusNoContent) // the request only asks whether the screen is still this person's
		return nil
	}
	// Subscribe before the first look, or a change in between would be missed.
	changed, cancel := h.Live.Subscribe(pubsub.Kitchen(code))
	defer cancel()
	screen, err := h.screen(r, code)
	if err != nil {
		return err
	}
	release, ok := h.Streams.Take(throttle.Known("kitchen " + code))
	if !ok {
		w.Header().Set("Retry-After", "15")
		http.Error(w, "Too many pages are open.", http.StatusServiceUnavailable)
		return nil
	}
	defer release()
	stream, err := web.OpenStream(w, r)
	if err != nil {
		return nil // the reader has gone already
	}
	f := &feed{h: h, r: r, shop: code, stream: stream, changed: changed, sent: map[string]string{}}
	if now := parts(screen); version(now) == shown(r) {
		f.sent = now
	}
	f.run(screen)
	return nil
}
