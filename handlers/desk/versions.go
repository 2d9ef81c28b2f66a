package desk

import (
	"net/http"
	"strconv"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/retention"
	view "forecourt/views/desk"
)

// ShowVersions answers GET /desk/{client}/menu/versions.
func (h *Handler) ShowVersions(w http.ResponseWriter, r *http.Request) error {
	one := web.MemberOf(r).Shop
	versions, err := h.Menus.Versions(r.Context(), one.Code)
	if err != nil {
		return err
	}
	state, err := h.Menus.Open(r.Context(), one.Code)
	if err != nil {
		return err
	}
	m := view.Versions{
		Frame: frame(r, "Versions"), URL: address(r, "menu"), Notice: notices[r.URL.Query().Get("done")],
		Unsaved: len(menu.Compare(&state.Published, &state.Draft, one.Currency)),
	}
	m.Latest, m.Days = strconv.Itoa(retention.LatestMenus), strconv.Itoa(retention.LeastMenus)
	if r.URL.Query().Get("done") == "cancelled" {
		m.Notice = "The scheduled menu will not be published."
	}
	for _, v := range versions {
		m.Rows = append(m.Rows, row(v, one.TimeZone))
	}
	return web.Render(w, r, http.StatusOK, view.VersionsPage(m))
}

func row(v menustore.Version, zone string) view.Version {
	shown := view.Version{No: strconv.Itoa(int(v.No)), Now: v.Now, Waiting: v.Published == nil}
	by := ""
	if v.By != "" {
		by = " by " + v.By
	}
	if v.Published == nil {
		shown.Text = "To be published " + view.When(*v.Due, zone) + by
	} else {
		shown.Text = "Published " + view.When(*v.Published, zone) + by
	}
	switch before, no, _ := strings.Cut(v.Origin, " "); before {
	case "before":
		shown.From = "The menu before the first version"
	case "import":
		shown.From = "From a file"
	case "demo":
		shown.From = "From the demo"
	case "version":
		shown.From = "Version " + no + ", brought back"
	}
	return shown
}

// BringBack answers POST /desk/{client}/menu/versions: it makes a version the draft again, or cancels a scheduled one.
func (h *Handler) BringBack(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, do := web.MemberOf(r), r.PostForm.Get("do")
	no, err := strconv.ParseInt(r.PostForm.Get("no"), 10, 32)
	if err != nil {
		return menustore.ErrMissing
	}
	switch do {
	case "cancel":
		if err := h.Menus.Cancel(r.Context(), member.Person, member.Shop.Code, int32(no)); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "menu/versions")+"?done=cancelled")
	case "now":
		if err := h.Menus.Restore(r.Context(), member.Person, member.Shop.Code, int32(no), true); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "menu")+"?done=published")
	default:
		if err := h.Menus.Restore(r.Context(), member.Person, member.Shop.Code, int32(no), false); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "menu")+"?done=back")
	}
}
