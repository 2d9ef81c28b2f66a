package desk

import (
	"net/url"

	"forecourt/internal/kit/card"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Tables is the list of a business's tables.
type Tables struct {
	Frame layout.Desk
	URL   string
	Field ui.Field
	Areas []Area
	Saved bool
}

// Area is a part of the place with its tables.
type Area struct {
	Name   string
	Tables []string
}

// TablesOf returns the page of a list; text is the value of its field.
func TablesOf(tables []shop.Table, text string) Tables {
	m := Tables{Field: ui.Field{
		ID: "tables", Name: "tables", Label: "Your tables", Value: text,
		Hint: "Numbers or names with commas between them. 1-12 makes twelve tables. Put each area on a " +
			"line of its own, with a colon after its name.",
	}}
	for _, t := range tables {
		if n := len(m.Areas); n == 0 || m.Areas[n-1].Name != t.Area {
			m.Areas = append(m.Areas, Area{Name: t.Area})
		}
		last := &m.Areas[len(m.Areas)-1]
		last.Tables = append(last.Tables, t.Name)
	}
	return m
}

// TableProblem returns the message for a list that cannot be read.
func TableProblem(e *shop.TableError) string {
	switch e.Problem {
	case shop.Twice:
		return "There are two tables called " + e.Part + ". Give each its own name, so that orders reach the right one."
	case shop.Long:
		return "Use at most 20 characters for a table and 40 for an area: " + e.Part
	case shop.HoldsCard:
		return card.LeaveOut
	case shop.ManyAtAll:
		return "List at most 500 tables."
	default:
		return "Use printable characters: " + e.Part
	}
}

// codeURL returns the page of a table's code or, without a table, that of the code for takeaway.
func codeURL(tables, table string) string {
	if table == "" {
		return tables + "/code"
	}
	return tables + "/code?" + url.Values{"t": {table}}.Encode()
}
