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

// ShowItem answers GET /desk/{client}/menu/item/{id}.
func (h *Handler) ShowItem(w http.ResponseWriter, r *http.Request) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	state, locations, err := h.openMenu(r)
	if err != nil {
		return err
	}
	entry := menu.Entry{Item: menu.Item{Available: true}}
	if id == 0 {
		entry.Category, _ = idOf(r.URL.Query().Get("category"))
		if len(locations) > 0 {
			entry.Loc = locations[0]
		}
		if c := state.Draft.Category(entry.Category); c != nil && len(c.Items) > 0 {
			entry.Loc = c.Items[len(c.Items)-1].Loc
		}
	} else if item, in := state.Draft.Item(id); item != nil {
		entry = menu.Entry{Item: *item, Category: in.ID}
	} else {
		ok = false
	}
	if !ok {
		return menu.ErrMissing
	}
	m := view.ItemFormOf(&state.Draft, view.Typed(entry), nil, locations)
	m.Revision = state.Revision
	m.Notice = notices[r.URL.Query().Get("done")]
	return h.renderItem(w, r, http.StatusOK, m)
}

func (h *Handler) openMenu(r *http.Request) (menu.State, []string, error) {
	code := session.MemberOf(r).Shop.Code
	state, err := h.Menus.Open(r.Context(), code)
	if err != nil {
		return state, nil, err
	}
	locations, err := h.Menus.Locations(r.Context(), code)
	return state, locations, err
}

// SaveItem answers POST /desk/{client}/menu/item/{id}: it changes an item or removes it.
func (h *Handler) SaveItem(w http.ResponseWriter, r *http.Request) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	if !ok {
		return menu.ErrMissing
	}
	state, locations, err := h.openMenu(r)
	if err != nil {
		return err
	}
	now := menu.Entry{} // as the draft has it
	if entry := state.Draft.Entry(id); entry != nil {
		now = *entry
	}
	sent, err := h.receive(w, r, "picture", now.Picture)
	if err != nil {
		return err
	}
	member, revision := session.MemberOf(r), revisionOf(sent.Values)
	if sent.Get("do") == "remove" {
		return h.removeItem(w, r, id, revision)
	}
	typed, unread := readItem(sent.Values, now.Groups)
	typed.ID, typed.Picture = id, sent.Picture
	if len(unread) > 0 || sent.Problem != "" {
		_, problems := state.Draft.CheckItem(typed.Item, locations)
		for field, problem := range unread {
			problems[field] = problem
		}
		if problems["allergens"] != "" {
			delete(problems, "contains")
		}
		m := view.ItemFormOf(&state.Draft, typed, problems, locations)
		m.Refused, m.Revision = sent.Problem, revision
		return h.renderItem(w, r, sent.Status, m)
	}
	out, err := menu.Save(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Items, typed.Entry, revision)
	switch {
	case err != nil:
		return err
	case out.Clash != nil:
		m := view.ItemFormOf(&out.Clash.Draft, typed, nil, locations)
		m.Revision, m.Clash = out.Clash.Revision, itemClash(r, out)
		return h.renderItem(w, r, http.StatusConflict, m)
	case len(out.Problems) > 0:
		m := view.ItemFormOf(&state.Draft, typed, out.Problems, locations)
		m.Revision = revision
		return h.renderItem(w, r, http.StatusUnprocessableEntity, m)
	case sent.Get("do") == "another":
		return web.Redirect(w, r, address(r, "menu/item/new")+"?done=saved&category="+strconv.FormatInt(out.Kept.Category, 10))
	}
	place := "#i" + strconv.FormatInt(id, 10)
	if id == 0 { // it is the last of its category
		place = "#c" + strconv.FormatInt(out.Kept.Category, 10)
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=saved"+place)
}

// itemClash says what somebody else has made of an item, beside what was typed.
func itemClash(r *http.Request, out menu.Outcome[menu.Entry]) *view.Clash {
	after := out.Clash.Draft.Clone()
	after.PutItem(out.Kept.Item, out.Kept.Category)
	return clashOf(r, out.Clash, "item", out.Kept.ID, &after)
}

func (h *Handler) removeItem(w http.ResponseWriter, r *http.Request, id, revision int64) error {
	member := session.MemberOf(r)
	clash, err := menu.Remove(r.Context(), h.Menus, member.Person, member.Shop.Code, menu.Items, id, revision)
	if err != nil {
		return err
	}
	if clash == nil {
		return web.Redirect(w, r, address(r, "menu")+"?done=removed")
	}
	_, locations, err := h.openMenu(r)
	if err != nil {
		return err
	}
	m := view.ItemFormOf(&clash.Draft, view.Typed(*clash.Theirs), nil, locations)
	m.Revision, m.Trouble = clash.Revision, notRemoved(r, clash.By, clash.At, "item")
	return h.renderItem(w, r, http.StatusConflict, m)
}

func (h *Handler) renderItem(w http.ResponseWriter, r *http.Request, status int, m view.ItemForm) error {
	m.Frame, m.URL, m.Action = frame(r, "Item"), address(r, "menu"), address(r, "menu/item/"+chi.URLParam(r, "id"))
	m.Picture = view.ItemPictureField(m.Address, web.Picture(m.Address, logoSize), m.Refused)
	return web.Render(w, r, status, view.ItemPage(m))
}

// readItem reads the form of an item, except its picture, and tells which fields are not numbers. groups are those that it asks now.
func readItem(form url.Values, groups []int64) (view.TypedItem, menu.Problems) {
	t := view.TypedItem{
		Entry: menu.Entry{Item: menu.Item{
			Name: form.Get("name"), Description: form.Get("description"), Loc: form.Get("loc"),
			Available: form.Get("available") == "on", AllergensKnown: view.Stated(form.Get("allergens")),
			Contains: form["contains"], MayContain: form["mayContain"], Diets: form["diets"], Hours: form.Get("hours"),
		}},
		Price: form.Get("priceMinor"), Note: form.Get("noteMax"), Allergens: form.Get("allergens"),
		Noted: form.Get("noted") == "on", HoursText: form.Get("hours"),
	}
	t.Category, _ = strconv.ParseInt(form.Get("category"), 10, 64)
	problems := menu.Problems{}
	var ok bool
	if t.Entry.Price, ok = menu.Amount(t.Price, false); !ok {
		problems["priceMinor"] = menu.Unfit
		if strings.TrimSpace(t.Price) == "" {
			problems["priceMinor"] = menu.Missing
		}
	}
	if t.Noted {
		n, err := strconv.Atoi(strings.TrimSpace(t.Note))
		if t.NoteMax = n; err != nil || n < 1 || n > menu.MostNote {
			problems["noteMax"] = menu.Unfit
		}
	}
	some := len(t.Contains)+len(t.MayContain) > 0
	if some != (t.Allergens == "some") {
		problems["allergens"] = menu.Clash
	}
	t.Groups = readGroups(form["groups"], groups)
	return t, problems
}

// readGroups returns the ticked groups: first those of before, in their order, then the others.
func readGroups(ticked []string, before []int64) (groups []int64) {
	var chosen []int64
	for _, text := range ticked {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && !slices.Contains(chosen, id) {
			chosen = append(chosen, id)
		}
	}
	for _, id := range before {
		if slices.Contains(chosen, id) {
			groups = append(groups, id)
		}
	}
	for _, id := range chosen {
		if !slices.Contains(groups, id) {
			groups = append(groups, id)
		}
	}
	return groups
}
