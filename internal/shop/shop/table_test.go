package shop_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/shop"
)

// pairs returns the name and the area of each table.
func pairs(tables []shop.Table) (list [][2]string) {
	for _, one := range tables {
		list = append(list, [2]string{one.Name, one.Area})
	}
	return list
}

// rowsOf reads rows from lines, which have "Area: " first or not.
func rowsOf(text string) (rows []shop.TableRow) {
	for line := range strings.Lines(text) {
		area, tables, named := strings.Cut(line, ": ")
		if !named {
			area, tables = "", line
		}
		rows = append(rows, shop.TableRow{Area: area, Tables: tables})
	}
	return rows
}

func TestParseTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][][2]string{
		"":                            nil,
		"1-3":                         {{"1", ""}, {"2", ""}, {"3", ""}},
		"Terrace: 8 to 9, Window\n10": {{"8", "Terrace"}, {"9", "Terrace"}, {"Window", "Terrace"}, {"10", ""}},
		" Bar :  High  table ,, 4,\n": {{"High table", "Bar"}, {"4", "Bar"}},
		"9-1":                         {{"9-1", ""}},
		"Hof: 1—3; 5، 6":              {{"1", "Hof"}, {"2", "Hof"}, {"3", "Hof"}, {"5", "Hof"}, {"6", "Hof"}},
		"A-1, 007":                    {{"A-1", ""}, {"007", ""}},
		"9998, 9999, 10000, 10001":    {{"9998", ""}, {"9999", ""}, {"10000", ""}, {"10001", ""}},
		"10000, 10001, 10002":         {{"10000", ""}, {"10001", ""}, {"10002", ""}},
		"-1, 0, 1":                    {{"-1", ""}, {"0", ""}, {"1", ""}},
		"Level 2: bar:90, B: 91":      {{"bar:90", "Level 2"}, {"B: 91", "Level 2"}},
	} {
		got, problem := shop.ParseTables(rowsOf(text))
		if problem != nil || !slices.Equal(pairs(got), want) {
			t.Errorf("%q: %v, %v", text, got, problem)
		}
		again, problem := shop.ParseTables(shop.TableRows(got))
		if problem != nil || !slices.Equal(pairs(again), want) {
			t.Errorf("%q formatted as %q: %v, %v", text, shop.FormatTables(got), again, problem)
		}
	}
	rows := []shop.Table{
		{Name: "1", Area: "In"}, {Name: "2", Area: "In"}, {Name: "3", Area: "In"}, {Name: "7", Area: "In"}, {Name: "8", Area: "Out"},
	}
	check.Equal(t, shop.FormatTables(rows), "In: 1-3, 7\nOut: 8",
		"FormatTables")
	for text, want := range map[string]string{
		"1-3, 2": "There are two tables called 2.", "window, Window": "There are two tables called Window.",
		"A1, Α1": "There are two tables called Α1.", "HOT; НОТ": "There are two tables called НОТ.",
		"Joe’s, joe's": "There are two tables called joe's.", "Bar–2, Ｂａｒ-2": "There are two tables called Ｂａｒ-2.",
		"a very long name of a table": "Use at most 20 characters", "1-400\nB: 500-700": "List at most 500 tables.", "a\xff": "Type the table again",
		"Bar: 1\nTerrace: ": "List the tables of",
	} {
		_, problems := shop.ParseTables(rowsOf(text))
		field := "tables." + strconv.Itoa(strings.Count(text, "\n")) // all are in the last row
		if !strings.HasPrefix(problems[field], want) {
			t.Errorf("%q: %q, want %q in %s", text, problems, want, field)
		}
	}
}
