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
	"forecourt/views/layout"
)

// ShowScreens answers GET /desk/{client}/screens.
func (h *Handler) ShowScreens(w http.ResponseWriter, r *http.Request) error {
	return h.renderScreens(w, r, http.StatusOK, func(*view.Screens) {})
}

// ChangeScreens answers POST /desk/{client}/screens: it connects a kitchen screen, gives one a new link, or ends one. The answer shows a
// link, which is never shown again.
func (h *Handler) ChangeScreens(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	me, name := session.MemberOf(r), r.PostForm.Get("name")
	id, _ := uuid.Parse(r.PostForm.Get("screen")) // no screen has the zero id
	var link secret.Text
	var err error
	switch r.PostForm.Get("do") {
	case "connect":
		link, err = h.Team.Connect(r.Context(), me.Person, me.Shop.Code, name)
	case "reconnect":
		name, link, err = h.Team.Reconnect(r.Context(), me.Person, me.Shop.Code, id)
	case "end":
		if err := h.Team.EndScreen(r.Context(), me.Person, me.Shop.Code, id); err != nil && !errors.Is(err, shop.ErrNoScreen) {
			return err
		}
		return web.Redirect(w, r, address(r, "screens")+"?ended")
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	problem := ""
	switch {
	case errors.Is(err, shop.ErrScreenName):
		problem = view.NoScreenName
	case errors.Is(err, shop.ErrScreens):
		problem = view.TooManyScreens
	case errors.Is(err, shop.ErrNoScreen):
		return web.Redirect(w, r, address(r, "screens"))
	case err != nil:
		return err
	}
	if problem != "" {
		return h.renderScreens(w, r, http.StatusUnprocessableEntity, func(m *view.Screens) { m.Field.Value, m.Field.Problem = name, problem })
	}
	to := h.Public.JoinPath("kitchen", link.Reveal()).String()
	code, err := layout.QRCodeOf("the link", to)
	if err != nil {
		return err
	}
	return h.renderScreens(w, r, http.StatusOK, func(m *view.Screens) {
		m.Link = &view.ScreenLink{Name: name, Code: code}
	})
}

func (h *Handler) renderScreens(w http.ResponseWriter, r *http.Request, status int, change func(*view.Screens)) error {
	me := session.MemberOf(r)
	screens, err := h.Team.Screens(r.Context(), me.Shop.Code)
	if err != nil {
		return err
	}
	m := view.ScreensOf(screens, me.Shop.Zone())
	m.Frame, m.URL = frame(r, "Kitchen screens"), address(r, "screens")
	m.Ended = r.Method != http.MethodPost && r.URL.Query().Has("ended")
	change(&m)
	return web.Render(w, r, status, view.ScreensPage(m))
}
