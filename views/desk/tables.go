package desk

import (
	"cmp"
	"net/url"
	"slices"

	"forecourt/views/ui"
)

// foremost returns the kind of a button that is what the page is for now, or not.
func foremost(is bool) ui.Kind {
	if is {
		return ui.Primary
	}
	return ui.Secondary
}

// areasOf returns the codes by their areas, in the order of the list.
func areasOf(codes []ui.QRCode) (areas [][]ui.QRCode) {
	for i, c := range codes {
		if i == 0 || codes[i-1].Area != c.Area {
			areas = append(areas, nil)
		}
		areas[len(areas)-1] = append(areas[len(areas)-1], c)
	}
	return areas
}

// withFree returns rows with free ones for more: three rows at least, and the given number of them free at the end.
func withFree[T comparable](rows []T, free int) []T {
	var none T
	for len(rows) < 3 || slices.ContainsFunc(rows[len(rows)-free:], func(row T) bool { return row != none }) {
		rows = append(rows, none)
	}
	return rows
}

// codeURL returns the address below a desk of a table's code or, without a table, of the code for takeaway. suffix is that of a file.
func codeURL(table, suffix string) string {
	if table == "" {
		return "tables/code" + suffix
	}
	return "tables/code" + suffix + "?" + url.Values{"t": {table}}.Encode()
}

// AllAreas is the choice of every area.
const AllAreas = "*"

// formatChoice and areaChoice are the choices of the form that leads to a sheet.
func formatChoice() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "format", Name: "format", Label: "What to print on"}}
	for i, f := range ui.SheetFormats {
		c.Options = append(c.Options, ui.Option{Value: f.ID, Label: f.Name, Chosen: i == 0})
	}
	return c
}

func areaChoice(areas [][]ui.QRCode) ui.Choice {
	c := ui.Choice{
		Field:   ui.Field{ID: "area", Name: "area", Label: "Which tables"},
		Options: []ui.Option{{Value: AllAreas, Label: "All tables", Chosen: true}},
	}
	for _, area := range areas {
		name := area[0].Area
		if !slices.ContainsFunc(c.Options[1:], func(o ui.Option) bool { return o.Value == name }) {
			c.Options = append(c.Options, ui.Option{Value: name, Label: cmp.Or(name, "Without an area")})
		}
	}
	return c
}
