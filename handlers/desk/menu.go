package desk

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/menu"
	"forecourt/internal/upkeep/retention"
	view "forecourt/views/desk"
)

// notices are the menu page's confirmations, by what was done.
var notices = map[string]string{
	"saved": "Saved in the draft.", "removed": "Removed from the draft.", "imported": "The file was imported into your draft.",
	"published": "Published. Guests see this menu now.", "example": "This is the example. Change it to suit your business.",
	"back": "That version is now your draft. Guests see it once you publish it.",
}

// menuOf returns the menu of a business for a page that edits it as a whole.
func (h *Handler) menuOf(r *http.Request, title string) (view.Menu, error) {
	one := session.MemberOf(r).Shop
	state, err := h.Menus.Open(r.Context(), one.Code)
	return view.Menu{
		Frame: Frame(r, title), Shop: one, URL: address(r, "menu"), State: state, Notice: notices[r.URL.Query().Get("done")],
		Changes: menu.Compare(&state.Published, &state.Draft, one.Currency), Reorder: r.URL.Query().Has("reorder"),
	}, err
}

// ShowMenu answers GET /desk/{client}/menu: the draft of the menu.
func (h *Handler) ShowMenu(w http.ResponseWriter, r *http.Request) error {
	m, err := h.menuOf(r, "Menu")
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.MenuPage(m), view.MenuFragment)
}

// ArrangeMenu answers POST /desk/{client}/menu: it moves an item or a category, or fills an empty draft with the example.
func (h *Handler) ArrangeMenu(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	if r.PostForm.Get("do") == "example" {
		return h.startFromExample(w, r)
	}
	moved := r.PostForm.Get("up") + r.PostForm.Get("down") + r.PostForm.Get("move")
	if err := h.Menus.Arrange(r.Context(), member.Person, member.Shop.Code, mover(r.PostForm)); err != nil {
		return err
	}
	page := address(r, "menu")
	if r.PostForm.Has("reorder") {
		page += "?reorder=on"
	}
	return web.Redirect(w, r, page+"#"+url.QueryEscape(moved))
}

// mover reads what to move and where: up=i12, down=c3, or move=i12 with to=i15 (before that item), to=c3 (to the end of that category) or
// no to (to the very end).
func mover(form url.Values) func(*menu.Menu) {
	return func(m *menu.Menu) {
		for name, by := range map[string]int{"up": -1, "down": 1} {
			switch kind, id := thing(form.Get(name)); kind {
			case "i":
				m.ShiftItem(id, by)
			case "c":
				m.ShiftCategory(id, by)
			}
		}
		kind, id := thing(form.Get("move"))
		to, target := thing(form.Get("to"))
		switch {
		case kind == "c" && (to == "c" || to == ""):
			m.PlaceCategory(id, target)
		case kind == "i" && to == "c":
			m.PlaceItem(id, target, 0)
		case kind == "i" && to == "i":
			if _, in := m.Item(target); in != nil {
				m.PlaceItem(id, in.ID, target)
			}
		}
	}
}

// thing splits a name on the menu's page: "i12" is item 12, "c3" is category 3.
func thing(name string) (kind string, id int64) {
	if len(name) < 2 {
		return "", 0
	}
	id, err := strconv.ParseInt(name[1:], 10, 64)
	if err != nil || id <= 0 {
		return "", 0
	}
	return name[:1], id
}

// startFromExample fills an empty draft.
func (h *Handler) startFromExample(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	state, err := h.Menus.Open(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	if len(state.Draft.Categories) > 0 || len(state.Locations) == 0 {
		return web.Redirect(w, r, address(r, "menu"))
	}
	example := menu.Example(state.Locations[0])
	err = h.Menus.Take(r.Context(), member.Person, member.Shop.Code, example.Adopt(state.Draft), state.Revision)
	if err != nil && fault.CodeOf(err) != fault.Conflict {
		return err
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=example")
}

// idOf reads an id in an address; "new" is 0. ok is false for anything else.
func idOf(text string) (id int64, ok bool) {
	if text == "new" {
		return 0, true
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil && id > 0 && !strings.HasPrefix(text, "+")
}

// ShowPublish answers GET /desk/{client}/menu/publish and lists what would change for guests.
func (h *Handler) ShowPublish(w http.ResponseWriter, r *http.Request) error {
	return h.renderPublish(w, r, http.StatusOK, "")
}

// PublishMenu answers POST /desk/{client}/menu/publish.
func (h *Handler) PublishMenu(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	err := h.Menus.Publish(r.Context(), member.Person, member.Shop.Code, revisionOf(r.PostForm))
	switch {
	case errors.Is(err, menu.ErrFaulty):
		return h.renderPublish(w, r, http.StatusUnprocessableEntity, "")
	case errors.Is(err, menu.ErrChanged):
		const trouble = "Somebody has changed the draft, so nothing was published. Check the changes again."
		return h.renderPublish(w, r, http.StatusConflict, trouble)
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=published")
}

func (h *Handler) renderPublish(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	m, err := h.menuOf(r, "Publish")
	if err != nil {
		return err
	}
	_, m.Faults = m.Draft.Check(m.Locations)
	m.Trouble = trouble
	return web.Render(w, r, status, view.PublishPage(m))
}

// ShowVersions answers GET /desk/{client}/menu/versions.
func (h *Handler) ShowVersions(w http.ResponseWriter, r *http.Request) error {
	return h.renderVersions(w, r, http.StatusOK, "")
}

func (h *Handler) renderVersions(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	m, err := h.menuOf(r, "Versions")
	if err != nil {
		return err
	}
	m.Trouble = trouble
	list, err := h.Menus.Versions(r.Context(), m.Shop.Code)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.VersionsPage(m, list, strconv.Itoa(retention.LatestMenus), strconv.Itoa(retention.LeastMenus)))
}

// BringBack answers POST /desk/{client}/menu/versions: it makes a version the draft again. The next page lists what that changes for guests
// and publishes it.
func (h *Handler) BringBack(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	no, err := strconv.ParseInt(r.PostForm.Get("no"), 10, 32)
	if err != nil {
		return menu.ErrMissing
	}
	err = h.Menus.Restore(r.Context(), member.Person, member.Shop.Code, int32(no), revisionOf(r.PostForm))
	switch {
	case errors.Is(err, menu.ErrChanged):
		return h.renderVersions(
			w, r, http.StatusConflict, "Somebody has changed the draft, so nothing was brought back. Look at the draft first.",
		)
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "menu/publish")+"?done=back")
}
