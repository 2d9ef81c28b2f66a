package desk

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

var groupEditor = editor[menu.Group]{
	Part: menu.Groups, title: "Option group", whole: "group", page: view.GroupPage, typed: typedGroup, arrange: arrangeRows, read: readGroup,
	fresh: func(*http.Request, menu.State) menu.Group {
		blank := menu.Choice{Available: true}
		return menu.Group{Min: 1, Max: 1, Choices: []menu.Choice{blank, blank, blank}}
	},
	saved: func(string, int64, menu.Group) string { return "?done=saved" },
}

// typedGroup returns a group as its form has it.
func typedGroup(g menu.Group) url.Values {
	form := url.Values{"name": {g.Name}, "way": {"one"}, "min": {strconv.Itoa(g.Min)}, "max": {strconv.Itoa(g.Max)}}
	if g.Min != 1 || g.Max != 1 {
		form.Set("way", "several")
	}
	var rows []url.Values
	for _, c := range g.Choices {
		rows = append(rows, typedChoice(c))
	}
	putRows(form, rows)
	return form
}

func typedChoice(c menu.Choice) url.Values {
	row := url.Values{
		"name": {c.Name}, "allergens": {stated(c.Food)}, "contains": c.Contains, "mayContain": c.MayContain,
	}
	if c.ID != 0 {
		row.Set("id", strconv.FormatInt(c.ID, 10))
	}
	if c.Price != 0 {
		row.Set("priceMinor", money.Wire(c.Price))
	}
	if c.Preset {
		row.Set("preset", "on")
	}
	if c.Available {
		row.Set("available", "on")
	}
	return row
}

// takeRows takes the rows of choices out of the form of a group.
func takeRows(form url.Values) (rows []url.Values) {
	for n := 0; n < menu.MostChoices && form.Has(view.Row(n)+"name"); n++ {
		row := url.Values{}
		for field, values := range form {
			if name, in := strings.CutPrefix(field, view.Row(n)); in {
				row[name] = values
				delete(form, field)
			}
		}
		if id, err := strconv.ParseInt(row.Get("id"), 10, 64); err != nil || id == 0 {
			row.Del("id")
		}
		gatherFood(row)
		rows = append(rows, row)
	}
	return rows
}

// putRows puts rows into the form of a group.
func putRows(form url.Values, rows []url.Values) {
	for n, row := range rows {
		for field, values := range row {
			form[view.Row(n)+field] = values
		}
	}
}

// readGroup reads the form of a group without its empty rows, which move to the end of the form, and tells which fields are not numbers.
func readGroup(id int64, sent pictureForm, state menu.State) (menu.Group, fault.Problems) {
	form, problems := sent.Values, fault.Problems{}
	g := menu.Group{ID: id, Name: form.Get("name"), Min: 1, Max: 1}
	if form.Get("way") == "several" {
		var errMin, errMax error
		g.Min, errMin = typed.Count(form.Get("min"))
		g.Max, errMax = typed.Count(form.Get("max"))
		if errMin != nil || errMax != nil {
			problems["max"] = menu.WrongNumber
		}
	}
	rows := takeRows(form)
	empty := slices.DeleteFunc(slices.Clone(rows), says)
	rows = slices.DeleteFunc(rows, func(row url.Values) bool { return !says(row) })
	putRows(form, slices.Concat(rows, empty))
	for n, row := range rows {
		c := menu.Choice{Name: row.Get("name"), Preset: row.Get("preset") == "on", Available: row.Get("available") == "on"}
		c.ID, _ = strconv.ParseInt(row.Get("id"), 10, 64)
		var wrong string
		if c.Price, wrong = menu.Difference(row.Get("priceMinor"), state.Currency); wrong != "" {
			problems[view.Row(n)+"priceMinor"] = wrong
		}
		if !readFood(row, &c.Food) {
			problems[view.Row(n)+"allergens"] = menu.WrongAllergens
		}
		g.Choices = append(g.Choices, c)
	}
	return g, problems
}

// says reports whether anything was typed or ticked in the row of a choice, beside that it is available.
func says(row url.Values) bool {
	said := []string{row.Get("id"), row.Get("name"), row.Get("priceMinor"), row.Get("preset")}
	return strings.Join(slices.Concat(said, row["contains"], row["mayContain"]), "") != ""
}

// arrangeRows applies a button of the rows: "more", "free", "up 2", "down 2" or "drop 2".
func arrangeRows(form url.Values, do string) {
	rows := takeRows(form)
	word, number, _ := strings.Cut(do, " ")
	n, err := strconv.Atoi(number)
	switch {
	case do == "free":
		for _, row := range rows {
			row.Set("allergens", view.Free)
			row.Del("contains")
			row.Del("mayContain")
		}
	case word == "more" && len(rows) < menu.MostChoices:
		rows = append(rows, typedChoice(menu.Choice{Available: true}))
	case err != nil || n < 0 || n >= len(rows):
	case word == "up" && n > 0:
		rows[n-1], rows[n] = rows[n], rows[n-1]
	case word == "down" && n < len(rows)-1:
		rows[n], rows[n+1] = rows[n+1], rows[n]
	case word == "drop":
		rows = slices.Delete(rows, n, n+1)
	}
	putRows(form, rows)
}
