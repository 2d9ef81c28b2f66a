package desk

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// ShowScreens answers GET /desk/{client}/screens.
func (h *Handler) ShowScreens(w http.ResponseWriter, r *http.Request) error {
	return h.renderScreens(w, r, http.StatusOK, view.Screens{Ended: r.URL.Query().Has("ended")})
}

// ChangeScreens answers POST /desk/{client}/screens: it connects a kitchen screen, gives one a new link, or ends one. The answer shows a
// link, which is never shown again.
func (h *Handler) ChangeScreens(w http.ResponseWriter, r *http.Request) error {
	me, name := session.MemberOf(r), r.PostForm.Get("name")
	id, _ := uuid.Parse(r.PostForm.Get("screen")) // no screen has the zero id
	var link secret.Text
	var err error
	switch r.PostForm.Get("do") {
	case "connect":
		link, err = h.Shops.Connect(r.Context(), me.Person, me.Shop.Code, name)
	case "reconnect":
		name, link, err = h.Shops.Reconnect(r.Context(), me.Person, me.Shop.Code, id)
	case "end":
		if err := h.Shops.EndScreen(r.Context(), me.Person, me.Shop.Code, id); err != nil && !errors.Is(err, shop.ErrNoScreen) {
			return err
		}
		return web.Redirect(w, r, address(r, "screens")+"?ended")
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	problems, _ := errors.AsType[fault.Problems](err)
	switch {
	case problems != nil:
		return h.renderScreens(w, r, http.StatusUnprocessableEntity, view.Screens{Name: name, Problem: problems["name"]})
	case errors.Is(err, shop.ErrScreens):
		return h.renderScreens(w, r, http.StatusUnprocessableEntity, view.Screens{Name: name, Problem: err.Error()})
	case errors.Is(err, shop.ErrNoScreen):
		return web.Redirect(w, r, address(r, "screens"))
	case err != nil:
		return err
	}
	to := h.Public.JoinPath("kitchen", link.Reveal()).String()
	code, err := ui.QRCodeOf("the link", to)
	if err != nil {
		return err
	}
	return h.renderScreens(w, r, http.StatusOK, view.Screens{Name: name, Code: &code})
}

func (h *Handler) renderScreens(w http.ResponseWriter, r *http.Request, status int, m view.Screens) (err error) {
	one := session.MemberOf(r).Shop
	if m.Screens, err = h.Shops.Screens(r.Context(), one.Code); err != nil {
		return err
	}
	m.Zone = one.Zone()
	return web.Render(w, r, status, view.ScreensPage(Frame(r, "Kitchen screens"), m))
}
