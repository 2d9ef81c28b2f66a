package menu

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// The columns of a CSV file: a row for each item, then a row for each choice of an option group, which has "choice of" in place of a
// category. A row without a name and a price is about its category.
const (
	colID          = "id"
	colCategory    = "category"
	colName        = "name"
	colDescription = "description"
	colPrice       = "price"
	colLoc         = "location"
	colAvailable   = "available"
	colContains    = "allergens"
	colMayContain  = "may contain"
	colDiets       = "diets"
	colGroups      = "option groups"
	colHours       = "hours"
	colOtherHours  = "happy hour" // of a category
	colOtherPrice  = "happy hour price"
	colNote        = "note"
	colGSTFree     = "gst free"
	colPicture     = "picture"
	colGroup       = "choice of"
	colGroupID     = "group id"
	colChoose      = "choose"
	colPreset      = "preset"
	colCategoryID  = "category id"
)

var columns = []string{
	colCategory, colName, colDescription, colPrice, colLoc, colAvailable, colContains,
	colMayContain, colDiets, colGroups, colHours, colOtherHours, colOtherPrice, colNote, colGSTFree, colPicture,
	colGroup, colChoose, colPreset, colID, colCategoryID, colGroupID,
}

// none in a list of allergens says that there are none. An empty list means that they are not known.
const none = "none"

// WriteCSV writes the menu for spreadsheets, as ReadCSV reads it. A category has a row of its own if it has hours or no items.
func (m *Menu) WriteCSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil { // without it, spreadsheets garble what is not ASCII
		return err
	}
	out := csv.NewWriter(w)
	put := func(cells map[string]string) {
		row := make([]string, len(columns))
		for i, column := range columns {
			if row[i] = cells[column]; column != colPrice {
				row[i] = printable.Cell(row[i])
			}
		}
		_ = out.Write(row) // out.Error has it
	}
	yes := func(is bool) string { return strings.ToLower(yesNo(is)) }
	allergens := func(known bool, codes []string) string { return allergensText(known, codes, "", none) }
	_ = out.Write(columns)
	for _, c := range m.Categories {
		if c.Hours+c.OtherHours != "" || len(c.Items) == 0 {
			put(map[string]string{colCategory: c.Name, colHours: c.Hours, colOtherHours: c.OtherHours, colCategoryID: id(c.ID)})
		}
		for _, i := range c.Items {
			other := ""
			if i.OtherPrice != nil {
				other = money.Wire(*i.OtherPrice)
			}
			put(map[string]string{
				colCategory: c.Name, colName: i.Name, colDescription: i.Description, colPrice: money.Wire(i.Price), colLoc: i.Loc,
				colAvailable: yes(i.Available), colContains: allergens(i.AllergensKnown, i.Contains),
				colMayContain: allergens(i.AllergensKnown, i.MayContain),
				colDiets:      strings.Join(Names(Diets, i.Diets), ", "), colGroups: strings.Join(m.groupNames(i.Groups), "\n"),
				colHours: i.Hours, colOtherPrice: other, colNote: strconv.Itoa(i.NoteMax), colGSTFree: yes(i.GSTFree),
				colPicture: i.Picture, colID: id(i.ID), colCategoryID: id(c.ID),
			})
		}
	}
	for _, g := range m.Groups {
		for _, c := range g.Choices {
			put(map[string]string{
				colGroup: g.Name, colChoose: strconv.Itoa(g.Min) + " to " + strconv.Itoa(g.Max), colName: c.Name, colPrice: money.Wire(c.Price),
				colAvailable: yes(c.Available), colPreset: yes(c.Preset), colID: id(c.ID), colGroupID: id(g.ID),
				colContains: allergens(c.AllergensKnown, c.Contains), colMayContain: allergens(c.AllergensKnown, c.MayContain),
			})
		}
	}
	out.Flush()
	return out.Error()
}

func (m *Menu) groupNames(ids []int64) (names []string) {
	for _, id := range ids {
		if g := m.Group(id); g != nil {
			names = append(names, g.Name)
		}
	}
	return names
}

// allergensText lists what something contains. unknown and none are for what is not stated and for nothing.
func allergensText(known bool, codes []string, unknown, none string) string {
	switch {
	case !known:
		return unknown
	case len(codes) == 0:
		return none
	default:
		return strings.Join(Names(Allergens, codes), ", ")
	}
}

func yesNo(is bool) string {
	if is {
		return "Yes"
	}
	return "No"
}

func id(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
