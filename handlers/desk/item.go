package desk

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

var itemEditor = editor[menu.Entry]{
	Part: menu.Items, title: "Item", whole: "item", page: view.ItemPage, fresh: freshItem, typed: typedItem, read: readItem,
	picture: func(e *menu.Entry) string {
		if e == nil {
			return ""
		}
		return e.Picture
	},
	saved: func(do string, id int64, kept menu.Entry) string {
		category := strconv.FormatInt(kept.Category, 10)
		switch {
		case do == "another":
			return "/item/new?done=saved&category=" + category
		case id == 0: // it is the last of its category
			return "?done=saved#c" + category
		}
		return "?done=saved#i" + strconv.FormatInt(id, 10)
	},
}

// freshItem returns a new item that is made where the last one of its category is.
func freshItem(r *http.Request, state menu.State) (e menu.Entry) {
	e.Available = true
	e.Category, _ = idOf(r.URL.Query().Get("category"))
	if len(state.Locations) > 0 {
		e.Loc = state.Locations[0]
	}
	if c := state.Draft.Category(e.Category); c != nil && len(c.Items) > 0 {
		e.Loc = c.Items[len(c.Items)-1].Loc
	}
	return e
}

// typedItem returns an item as its form has it.
func typedItem(e menu.Entry) url.Values {
	form := url.Values{
		"name": {e.Name}, "description": {e.Description}, "priceMinor": {money.Wire(e.Price)}, "loc": {e.Loc}, "picture": {e.Picture},
		"category": {strconv.FormatInt(e.Category, 10)}, "hours": {e.Hours}, "noteMax": {"80"},
		"allergens": {stated(e.Food)},
		"contains":  e.Contains, "mayContain": e.MayContain, "diets": e.Diets,
	}
	if e.ID == 0 && e.Price == 0 {
		form.Set("priceMinor", "")
	}
	if e.OtherPrice != nil {
		form.Set("otherPriceMinor", money.Wire(*e.OtherPrice))
	}
	if e.Available {
		form.Set("available", "on")
	}
	if e.GSTFree {
		form.Set("gstFree", "on")
	}
	if e.NoteMax > 0 {
		form.Set("noted", "on")
		form.Set("noteMax", strconv.Itoa(e.NoteMax))
	}
	for _, id := range e.Groups {
		form.Add("groups", strconv.FormatInt(id, 10))
	}
	return form
}

// stated returns the answer about allergens that fits what is known.
func stated(f menu.Food) string {
	switch {
	case !f.AllergensKnown:
		return view.Unstated
	case len(f.Contains)+len(f.MayContain) == 0:
		return view.Free
	default:
		return view.Some
	}
}

// gatherFood turns the answers about each allergen into the lists of what something contains and may contain.
func gatherFood(form url.Values) {
	for _, allergen := range menu.Allergens {
		answer := form.Get(view.FoodField + allergen.Code)
		if answer == "contains" || answer == "mayContain" {
			form.Add(answer, allergen.Code)
		}
		form.Del(view.FoodField + allergen.Code)
	}
}

// readFood reads what an item or a choice contains. It reports whether the boxes fit the answer.
func readFood(form url.Values, f *menu.Food) bool {
	answer := form.Get("allergens")
	*f = menu.Food{AllergensKnown: answer == view.Free || answer == view.Some, Contains: form["contains"], MayContain: form["mayContain"]}
	return (len(f.Contains)+len(f.MayContain) > 0) == (answer == view.Some)
}

// readItem reads the form of an item. If a field is not a number or the picture was refused, it tells all problems at once.
func readItem(id int64, sent pictureForm, state menu.State) (menu.Entry, fault.Problems) {
	form, unread := sent.Values, fault.Problems{}
	form.Set("picture", sent.Picture)
	gatherFood(form)
	e := menu.Entry{Item: menu.Item{
		ID: id, Name: form.Get("name"), Description: form.Get("description"), Loc: form.Get("loc"), Picture: sent.Picture,
		Available: form.Get("available") == "on", Diets: form["diets"], Hours: form.Get("hours"),
		GSTFree: form.Get("gstFree") == "on",
	}}
	e.Category, _ = strconv.ParseInt(form.Get("category"), 10, 64)
	var wrong string
	if e.Price, wrong = menu.Price(form.Get("priceMinor"), state.Currency); wrong != "" {
		unread["priceMinor"] = wrong
	}
	if form.Get("priceMinor") == "" {
		unread["priceMinor"] = "Enter a price, or 0 for a free item."
	}
	if text := form.Get("otherPriceMinor"); text != "" {
		other, wrong := menu.Price(text, state.Currency)
		e.OtherPrice = &other
		if wrong != "" {
			unread["otherPriceMinor"] = wrong
		}
	}
	if form.Get("noted") == "on" {
		n, err := typed.Count(form.Get("noteMax"))
		if e.NoteMax = n; err != nil || n < 1 || n > menu.MostNote {
			unread["noteMax"] = menu.WrongNote
		}
	}
	if !readFood(form, &e.Food) {
		unread["allergens"] = menu.WrongAllergens
	}
	var asked []int64
	if now, _ := state.Draft.Item(id); now != nil {
		asked = now.Groups
	}
	e.Groups = readGroups(form["groups"], asked)
	if len(unread) == 0 && sent.Problem == "" {
		return e, nil
	}
	_, problems := state.Draft.CheckItem(e.Item, state.Locations)
	maps.Copy(problems, unread)
	if problems["allergens"] != "" {
		delete(problems, "contains")
	}
	return e, problems
}

// readGroups returns the ticked groups: first those of before, in their order, then the others.
func readGroups(ticked []string, before []int64) (groups []int64) {
	var chosen []int64
	for _, text := range ticked {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && !slices.Contains(chosen, id) {
			chosen = append(chosen, id)
		}
	}
	place := func(id int64) int {
		if at := slices.Index(before, id); at >= 0 {
			return at
		}
		return len(before)
	}
	slices.SortStableFunc(chosen, func(a, b int64) int { return place(a) - place(b) })
	return chosen
}
