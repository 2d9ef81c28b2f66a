package desk

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	view "forecourt/views/desk"
)

// ShowPublish answers GET /desk/{client}/menu/publish and lists what would change for guests.
func (h *Handler) ShowPublish(w http.ResponseWriter, r *http.Request) error {
	return h.renderPublish(w, r, http.StatusOK, view.PublishOf(false, "", "", ""))
}

// PublishMenu answers POST /desk/{client}/menu/publish.
func (h *Handler) PublishMenu(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, form := web.MemberOf(r), r.PostForm
	revision, err := strconv.ParseInt(form.Get("revision"), 10, 64)
	if err != nil {
		revision = -1
	}
	_, faults, err := h.checked(r)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return h.renderPublish(w, r, http.StatusUnprocessableEntity, view.PublishOf(false, "", "", ""))
	}
	var due *time.Time
	if form.Get("way") == "later" {
		at, ok := menu.Moment(member.Shop.TimeZone, form.Get("date"), form.Get("time"))
		problem := ""
		switch {
		case !ok:
			problem = "Enter a date and a time that exist in your time zone. When clocks go forward, one hour is skipped."
		case !at.After(time.Now()):
			problem = "Enter a time in the future."
		}
		if problem != "" {
			return h.renderPublish(w, r, http.StatusUnprocessableEntity, view.PublishOf(true, form.Get("date"), form.Get("time"), problem))
		}
		due = &at
	}
	err = h.Menus.Publish(r.Context(), member.Person, member.Shop.Code, revision, due)
	switch {
	case errors.Is(err, menustore.ErrChanged):
		m := view.PublishOf(due != nil, form.Get("date"), form.Get("time"), "")
		m.Trouble = "Somebody has changed the draft, so nothing was published. Check the changes again."
		return h.renderPublish(w, r, http.StatusConflict, m)
	case err != nil:
		return err
	case due != nil:
		return web.Redirect(w, r, address(r, "menu")+"?done=scheduled")
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=published")
}

// checked returns the draft and the reasons why it cannot be published.
func (h *Handler) checked(r *http.Request) (menustore.State, []menu.Wrong, error) {
	state, locations, err := h.openMenu(r)
	if err != nil {
		return state, nil, err
	}
	_, faults := state.Draft.Check(locations)
	return state, menu.Wrongs(faults), nil
}

func (h *Handler) renderPublish(w http.ResponseWriter, r *http.Request, status int, m view.Publish) error {
	one := web.MemberOf(r).Shop
	state, faults, err := h.checked(r)
	if err != nil {
		return err
	}
	versions, err := h.Menus.Versions(r.Context(), one.Code)
	if err != nil {
		return err
	}
	m.Frame, m.URL, m.Zone = frame(r, "Publish"), address(r, "menu"), one.TimeZone
	m.Revision, m.Changes, m.Faults = strconv.FormatInt(state.Revision, 10), menu.Compare(&state.Published, &state.Draft, one.Currency), faults
	m.Waiting = waiting(versions, one.TimeZone)
	return web.Render(w, r, status, view.PublishPage(m))
}
