package desk

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// editor is how one kind of part of the menu is edited: shown, checked, saved or shown again, and removed.
type editor[T any] struct {
	menu.Part[T]
	title   string // of the page
	whole   string // what is removed with the part, in words
	fresh   func(r *http.Request, state menu.State) T
	typed   func(T) url.Values               // a part as its form has it
	arrange func(form url.Values, do string) // applies a button that changes the form alone; nil if there is none
	picture func(*T) string                  // the address of its picture; nil if a part has none
	read    func(id int64, sent pictureForm, state menu.State) (T, fault.Problems)
	page    func(view.Part) templ.Component
	saved   func(do string, id int64, kept T) string // the page after it, below the menu's
}

// Part serves the form of one kind of part of the menu. Save changes or removes it, or rearranges the rows of one that is not saved yet.
type Part struct{ Show, Save web.HandlerFunc }

func (e editor[T]) part(h *Handler) Part {
	return Part{
		Show: func(w http.ResponseWriter, r *http.Request) error { return showPart(h, w, r, e) },
		Save: func(w http.ResponseWriter, r *http.Request) error { return savePart(h, w, r, e) },
	}
}

// Category serves the form of a category.
func (h *Handler) Category() Part { return categoryEditor.part(h) }

// Item serves the form of an item.
func (h *Handler) Item() Part { return itemEditor.part(h) }

// Group serves the form of an option group.
func (h *Handler) Group() Part { return groupEditor.part(h) }

func showPart[T any](h *Handler, w http.ResponseWriter, r *http.Request, e editor[T]) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	state, err := h.Menus.Open(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	part := e.Find(&state.Draft, id)
	if !ok || part == nil && id != 0 {
		return menu.ErrMissing
	}
	if part == nil {
		one := e.fresh(r, state)
		part = &one
	}
	return e.render(w, r, http.StatusOK, view.Part{
		Values: e.typed(*part), Menu: view.Menu{State: state, Notice: notices[r.URL.Query().Get("done")]},
	})
}

func savePart[T any](h *Handler, w http.ResponseWriter, r *http.Request, e editor[T]) error {
	id, ok := idOf(chi.URLParam(r, "id"))
	if !ok {
		return menu.ErrMissing
	}
	member := session.MemberOf(r)
	state, err := h.Menus.Open(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	part := e.Find(&state.Draft, id)
	var sent pictureForm
	if e.picture == nil {
		err = web.ParseForm(r)
		sent.Values, sent.Status = r.PostForm, http.StatusUnprocessableEntity
	} else {
		sent, err = h.receive(w, r, "picture", e.picture(part))
	}
	if err != nil {
		return err
	}
	do, revision := sent.Get("do"), revisionOf(sent.Values)
	if do == "remove" {
		return removePart(h, w, r, e, id, revision)
	}
	m := view.Part{Values: sent.Values, Menu: view.Menu{State: state}, Refused: sent.Problem}
	m.Revision = revision
	if e.arrange != nil && do != "" && do != "save" {
		e.arrange(sent.Values, do)
		return e.render(w, r, http.StatusOK, m)
	}
	mine, problems := e.read(id, sent, state)
	if len(problems) > 0 || sent.Problem != "" {
		m.Problems = problems
		return e.render(w, r, sent.Status, m)
	}
	kept, clash, err := menu.Save(r.Context(), h.Menus, member.Person, member.Shop.Code, e.Part, mine, revision)
	switch {
	case errors.As(err, &m.Problems):
		return e.render(w, r, http.StatusUnprocessableEntity, m)
	case err != nil:
		return err
	case clash == nil:
		return web.Redirect(w, r, address(r, "menu")+e.saved(do, id, kept))
	}
	clash.By = person(r, clash.By)
	m.State, m.Clash = clash.Now, clash
	return e.render(w, r, http.StatusConflict, m)
}

func removePart[T any](h *Handler, w http.ResponseWriter, r *http.Request, e editor[T], id, revision int64) error {
	member := session.MemberOf(r)
	clash, err := menu.Remove(r.Context(), h.Menus, member.Person, member.Shop.Code, e.Part, id, revision)
	switch {
	case err != nil:
		return err
	case clash == nil:
		return web.Redirect(w, r, address(r, "menu")+"?done=removed")
	}
	return e.render(w, r, http.StatusConflict, view.Part{Values: e.typed(*e.Find(&clash.Now.Draft, id)), Menu: view.Menu{
		State: clash.Now, Trouble: person(r, clash.By) + " changed this " + e.whole + " on " + view.When(clash.At, member.Shop.TimeZone) +
			", so it was not removed. Below you see how it is now.",
	}})
}

func (e editor[T]) render(w http.ResponseWriter, r *http.Request, status int, m view.Part) error {
	id := chi.URLParam(r, "id")
	m.ID, _ = idOf(id)
	if e.picture != nil {
		m.Picture = view.ItemPictureField(m.Get("picture"), ui.PictureOf(m.Get("picture"), logoSize), m.Refused)
	}
	m.Frame, m.Shop, m.URL, m.Action = Frame(r, e.title), session.MemberOf(r).Shop, address(r, "menu"), address(r, "menu/"+e.Kind+"/"+id)
	return web.Render(w, r, status, e.page(m))
}

// person names a member of the team by the address of the account: it may be the reader, in another window.
func person(r *http.Request, email string) string {
	switch email {
	case "":
		return "Somebody"
	case session.MemberOf(r).Person.Email:
		return "You yourself, in another window,"
	}
	return email
}

// revisionOf reads the draft's revision that a form was made from, -1 if it names none.
func revisionOf(form url.Values) int64 {
	if n, err := strconv.ParseInt(form.Get("revision"), 10, 64); err == nil {
		return n
	}
	return -1
}

var categoryEditor = editor[menu.Category]{
	Part: menu.Categories, title: "Category", whole: "category or its items", page: view.CategoryPage,
	fresh: func(*http.Request, menu.State) menu.Category { return menu.Category{} },
	typed: func(c menu.Category) url.Values {
		return url.Values{"name": {c.Name}, "hours": {c.Hours}, "otherHours": {c.OtherHours}}
	},
	read: func(id int64, sent pictureForm, _ menu.State) (menu.Category, fault.Problems) {
		return menu.Category{ID: id, Name: sent.Get("name"), Hours: sent.Get("hours"), OtherHours: sent.Get("otherHours")}, nil
	},
	saved: func(string, int64, menu.Category) string { return "?done=saved" },
}
