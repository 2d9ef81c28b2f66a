package desk

import (
	"net/http"
	"net/url"

	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

var categoryEditor = editor[menu.Category]{
	Part: menu.Categories, title: "Category", whole: "category or its items", page: view.CategoryPage,
	fresh: func(*http.Request, menu.State) menu.Category { return menu.Category{} },
	typed: func(c menu.Category) url.Values { return url.Values{"name": {c.Name}, "hours": {c.Hours}} },
	read: func(id int64, sent pictureForm, _ menu.State) (menu.Category, fault.Problems) {
		return menu.Category{ID: id, Name: sent.Get("name"), Hours: sent.Get("hours")}, nil
	},
	saved: func(string, int64, menu.Category) string { return "?done=saved" },
}

// ShowCategory answers GET /desk/{client}/menu/category/{id}.
func (h *Handler) ShowCategory(w http.ResponseWriter, r *http.Request) error {
	return showPart(h, w, r, categoryEditor)
}

// SaveCategory answers POST /desk/{client}/menu/category/{id}: it changes a category or removes it.
func (h *Handler) SaveCategory(w http.ResponseWriter, r *http.Request) error {
	return savePart(h, w, r, categoryEditor)
}
