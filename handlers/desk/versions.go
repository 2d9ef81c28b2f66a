package desk

import (
	"errors"
	"net/http"
	"strconv"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	"forecourt/internal/upkeep/retention"
	view "forecourt/views/desk"
)

// ShowVersions answers GET /desk/{client}/menu/versions.
func (h *Handler) ShowVersions(w http.ResponseWriter, r *http.Request) error {
	return h.renderVersions(w, r, http.StatusOK, "")
}

func (h *Handler) renderVersions(w http.ResponseWriter, r *http.Request, status int, trouble string) error {
	one := session.MemberOf(r).Shop
	versions, err := h.Menus.Versions(r.Context(), one.Code)
	if err != nil {
		return err
	}
	state, err := h.Menus.Open(r.Context(), one.Code)
	if err != nil {
		return err
	}
	m := view.Versions{
		Frame: frame(r, "Versions"), URL: address(r, "menu"), Trouble: trouble, Revision: strconv.FormatInt(state.Revision, 10),
		Unsaved: len(menu.Compare(&state.Published, &state.Draft, one.Currency)),
		Latest:  strconv.Itoa(retention.LatestMenus), Days: strconv.Itoa(retention.LeastMenus),
	}
	for i, v := range versions {
		m.Rows = append(m.Rows, row(v, i == 0, one.TimeZone))
	}
	return web.Render(w, r, status, view.VersionsPage(m))
}

func row(v menu.Version, now bool, zone string) view.Version {
	shown := view.Version{No: strconv.Itoa(int(v.No)), Now: now, Text: "Published " + view.When(v.PublishedAt, zone)}
	if v.MadeBy != "" {
		shown.Text += " by " + v.MadeBy
	}
	switch v.Origin {
	case "before":
		shown.From = "The menu before the first version"
	case "demo":
		shown.From = "From the demo"
	}
	return shown
}

// BringBack answers POST /desk/{client}/menu/versions: it makes a version the draft again. The next page lists what that changes for guests
// and publishes it.
func (h *Handler) BringBack(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
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
