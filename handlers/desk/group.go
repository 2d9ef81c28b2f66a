package desk

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// blankRows is how many rows a new group has.
const blankRows = 3

// ShowGroup answers GET /desk/{client}/menu/group/{id}.
func (h *Handler) ShowGroup(w http.ResponseWriter, r *http.Request) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	state, err := h.Menus.Open(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	g := menu.Group{Min: 1, Max: 1}
	if id != 0 && ok {
		have := state.Draft.Group(id)
		if have == nil {
			return menu.ErrMissing
		}
		g = *have
	}
	if !ok {
		return menu.ErrMissing
	}
	typed := view.TypedGroupOf(g)
	for id == 0 && len(typed.Rows) < blankRows {
		typed.Rows = append(typed.Rows, blank())
	}
	m := view.GroupOf(&state.Draft, typed, nil)
	m.Revision = state.Revision
	return h.renderGroup(w, r, http.StatusOK, m)
}

func blank() view.TypedChoice { return view.TypedChoiceOf(menu.Choice{Available: true}) }

// SaveGroup answers POST /desk/{client}/menu/group/{id}: it changes or removes a group, or rearranges the rows of one that is not saved
// yet.
func (h *Handler) SaveGroup(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	id, ok := idOf(chi.URLParam(r, "id"))
	if !ok {
		return menu.ErrMissing
	}
	member, revision, do := session.MemberOf(r), revisionOf(r.PostForm), r.PostForm.Get("do")
	if do == "remove" {
		return h.removeGroup(w, r, id, revision)
	}
	typed, unread := readGroup(r.PostForm)
	typed.ID = id
	if do != "" && do != "save" {
		typed.Rows = rearranged(typed.Rows, do)
		return h.showGroup(w, r, http.StatusOK, typed, nil)
	}
	typed.Rows = slices.DeleteFunc(typed.Rows, func(c view.TypedChoice) bool { return c.Name == "" && c.ID == 0 && c.Price == "" })
	mine := typed.Group
	mine.Choices = nil
	for _, row := range typed.Rows {
		mine.Choices = append(mine.Choices, row.Choice)
	}
	if problems := unread(typed.Rows); len(problems) > 0 {
		return h.showGroup(w, r, http.StatusUnprocessableEntity, typed, problems)
	}
	out, err := menu.Save(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Groups, mine, revision)
	switch {
	case err != nil:
		return err
	case out.Clash != nil:
		after := out.Clash.Draft.Clone()
		after.PutGroup(out.Kept)
		m := view.GroupOf(&out.Clash.Draft, typed, nil)
		m.Revision, m.Clash = out.Clash.Revision, clashOf(r, out.Clash, "group", id, &after)
		return h.renderGroup(w, r, http.StatusConflict, m)
	case len(out.Problems) > 0:
		return h.showGroup(w, r, http.StatusUnprocessableEntity, typed, out.Problems)
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=saved")
}

func (h *Handler) removeGroup(w http.ResponseWriter, r *http.Request, id, revision int64) error {
	member := session.MemberOf(r)
	clash, err := menu.Remove(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Groups, id, revision)
	if err != nil {
		return err
	}
	if clash == nil {
		return web.Redirect(w, r, address(r, "menu")+"?done=removed")
	}
	m := view.GroupOf(&clash.Draft, view.TypedGroupOf(*clash.Theirs), nil)
	m.Revision, m.Trouble = clash.Revision, notRemoved(r, clash.By, clash.At, "group")
	return h.renderGroup(w, r, http.StatusConflict, m)
}

// showGroup shows the form again with everything that was typed.
func (h *Handler) showGroup(w http.ResponseWriter, r *http.Request, status int, typed view.TypedGroup, problems menu.Problems) error {
	state, err := h.Menus.Open(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	m := view.GroupOf(&state.Draft, typed, problems)
	m.Revision = revisionOf(r.PostForm)
	return h.renderGroup(w, r, status, m)
}

func (h *Handler) renderGroup(w http.ResponseWriter, r *http.Request, status int, m view.GroupForm) error {
	m.Frame, m.URL, m.Action = frame(r, "Option group"), address(r, "menu"), address(r, "menu/group/"+chi.URLParam(r, "id"))
	return web.Render(w, r, status, view.GroupPage(m))
}

// readGroup reads the form of a group. unread returns the problems of values that are not numbers, by the fields of the remaining rows.
func readGroup(form url.Values) (t view.TypedGroup, unread func([]view.TypedChoice) menu.Problems) {
	t = view.TypedGroup{
		Group: menu.Group{Name: form.Get("name")}, One: form.Get("way") != "several", Min: form.Get("min"), Max: form.Get("max"),
	}
	var errMin, errMax error
	t.Group.Min, errMin = strconv.Atoi(strings.TrimSpace(t.Min))
	t.Group.Max, errMax = strconv.Atoi(strings.TrimSpace(t.Max))
	if t.One {
		t.Group.Min, t.Group.Max, errMin, errMax = 1, 1, nil, nil
	}
	for n := 0; n < menu.MostChoices && form.Has("choices."+strconv.Itoa(n)+".name"); n++ {
		at := "choices." + strconv.Itoa(n)
		row := view.TypedChoice{
			Choice: menu.Choice{
				Name: strings.TrimSpace(form.Get(at + ".name")), Preset: form.Get(at+".preset") == "on", Available: form.Get(at+".available") == "on",
			},
			Price: strings.TrimSpace(form.Get(at + ".priceMinor")),
		}
		row.Allergens = form.Get(at + ".allergens")
		row.AllergensKnown, row.Contains, row.MayContain = view.Stated(row.Allergens), form[at+".contains"], form[at+".mayContain"]
		row.ID, _ = strconv.ParseInt(form.Get(at+".id"), 10, 64)
		row.Choice.Price, _ = difference(row.Price)
		t.Rows = append(t.Rows, row)
	}
	return t, func(rows []view.TypedChoice) menu.Problems {
		problems := menu.Problems{}
		if errMin != nil || errMax != nil {
			problems["max"] = menu.Unfit
		}
		for n, row := range rows {
			if _, ok := difference(row.Price); !ok {
				problems["choices."+strconv.Itoa(n)+".priceMinor"] = menu.Unfit
			}
			if row.Unticked() {
				problems["choices."+strconv.Itoa(n)+".allergens"] = menu.Clash
			}
		}
		return problems
	}
}

func difference(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	return menu.Amount(text, true)
}

// rearranged applies a button of the rows: "more", "free", "up 2", "down 2" or "drop 2".
func rearranged(rows []view.TypedChoice, do string) []view.TypedChoice {
	if do == "free" {
		for n := range rows {
			rows[n].Free()
		}
		return rows
	}
	word, number, _ := strings.Cut(do, " ")
	n, err := strconv.Atoi(number)
	switch {
	case word == "more" && len(rows) < menu.MostChoices:
		return append(rows, blank())
	case err != nil || n < 0 || n >= len(rows):
	case word == "up" && n > 0:
		rows[n-1], rows[n] = rows[n], rows[n-1]
	case word == "down" && n < len(rows)-1:
		rows[n], rows[n+1] = rows[n+1], rows[n]
	case word == "drop":
		return slices.Delete(rows, n, n+1)
	}
	return rows
}
