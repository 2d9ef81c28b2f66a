package desk

import (
	"errors"
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// ShowPublish answers GET /desk/{client}/menu/publish and lists what would change for guests.
func (h *Handler) ShowPublish(w http.ResponseWriter, r *http.Request) error {
	return h.renderPublish(w, r, http.StatusOK, "")
}

// PublishMenu answers POST /desk/{client}/menu/publish.
func (h *Handler) PublishMenu(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	_, faults, err := h.checked(r)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return h.renderPublish(w, r, http.StatusUnprocessableEntity, "")
	}
	member := session.MemberOf(r)
	err = h.Menus.Publish(r.Context(), member.Person, member.Shop.Code, revisionOf(r.PostForm))
	switch {
	case errors.Is(err, menu.ErrChanged):
		const trouble = "Somebody has changed the draft, so nothing was published. Check the changes again."
		return h.renderPublish(w, r, http.StatusConflict, trouble)
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=published")
}

// checked returns the draft and the reasons why it cannot be published.
func (h *Handler) checked(r *http.Request) (menu.State, []menu.Wrong, error) {
	state, locations, err := h.openMenu(r)
	if err != nil {
		return state, nil, err
	}
	_, faults := state.Draft.Check(locations)
	return state, menu.Wrongs(faults), nil
}

func (h *Handler) renderPublish(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	state, faults, err := h.checked(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.PublishPage(view.Publish{
		Frame: frame(r, "Publish"), URL: address(r, "menu"), Revision: strconv.FormatInt(state.Revision, 10),
		Changes: menu.Compare(&state.Published, &state.Draft, session.MemberOf(r).Shop.Currency),
		Faults:  faults, Trouble: trouble, Notice: notices[r.URL.Query().Get("done")],
	}))
}
