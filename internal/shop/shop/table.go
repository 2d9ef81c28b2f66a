package shop

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/printable"
)

// Table is a table of a shop. Names are unique in it.
type Table struct {
	Name string // what orders carry: "4", "Window"
	Area string // "" for none
}

// Limits of tables.
const (
	mostTables    = 500  // tables of a business
	mostTableName = 20   // characters of a table's name
	mostArea      = 40   // characters of an area's name
	mostNumber    = 9999 // in a range
)

// TableError means that a part of a list of tables cannot be read.
type TableError struct {
	Problem Problem
	Part    string // as typed, "" for a card number
}

func (e *TableError) Error() string { return fmt.Sprintf("tables: %s: %q", e.Problem, e.Part) }

var span = regexp.MustCompile(`^(\d{1,4})\s*(?:-|–|to)\s*(\d{1,4})$`)

// ParseTables reads a list of tables: names and ranges of numbers, separated by commas. Each line is an area, whose name may come first,
// followed by a colon: "Terrace: 1-8, 10, Window". The error is a *TableError.
func ParseTables(text string) ([]Table, error) {
	var all []Table
	seen := map[string]bool{}
	add := func(name, area string) *TableError {
		switch {
		case utf8.RuneCountInString(name) > mostTableName:
			return &TableError{Long, name}
		case !printable.Line(name, mostTableName):
			return &TableError{Unfit, strconv.Quote(name)}
		case card.HoldsNumber(name):
			return &TableError{HoldsCard, ""}
		case seen[strings.ToLower(name)]:
			return &TableError{Twice, name}
		case len(all) == mostTables:
			return &TableError{ManyAtAll, name}
		}
		seen[strings.ToLower(name)] = true
		all = append(all, Table{name, area})
		return nil
	}
	for line := range strings.Lines(text) {
		area, names, named := strings.Cut(line, ":")
		if !named {
			area, names = "", line
		}
		area = strings.Join(strings.Fields(area), " ")
		if utf8.RuneCountInString(area) > mostArea || !printable.Line(area, mostArea) {
			return nil, &TableError{Long, area}
		}
		if card.HoldsNumber(area) {
			return nil, &TableError{HoldsCard, ""}
		}
		for part := range strings.SplitSeq(names, ",") {
			part = strings.Join(strings.Fields(part), " ")
			if part == "" {
				continue
			}
			for _, name := range expand(part) {
				if err := add(name, area); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// expand returns the names in a range of numbers, or part itself if it is not a range.
func expand(part string) []string {
	found := span.FindStringSubmatch(part)
	if found == nil {
		return []string{part}
	}
	from, _ := strconv.Atoi(found[1])
	to, _ := strconv.Atoi(found[2])
	if to < from || to-from >= mostTables {
		return []string{part}
	}
	var names []string
	for n := from; n <= to; n++ {
		names = append(names, strconv.Itoa(n))
	}
	return names
}

// FormatTables lists tables as ParseTables reads them.
func FormatTables(tables []Table) string {
	var text strings.Builder
	for i := 0; i < len(tables); {
		if i > 0 && tables[i].Area != tables[i-1].Area {
			text.WriteByte('\n')
		}
		switch {
		case i == 0 || tables[i].Area != tables[i-1].Area:
			if tables[i].Area != "" {
				text.WriteString(tables[i].Area + ": ")
			}
		default:
			text.WriteString(", ")
		}
		end := runOf(tables[i:])
		text.WriteString(tables[i].Name)
		if end > 2 {
			text.WriteString("-" + tables[i+end-1].Name)
			i += end
			continue
		}
		i++
	}
	return text.String()
}

// runOf returns how many of the first tables have consecutive numbers as names, in one area. Numbers that a range cannot hold stand alone.
func runOf(tables []Table) int {
	first, err := strconv.Atoi(tables[0].Name)
	if err != nil || strconv.Itoa(first) != tables[0].Name || first < 0 {
		return 1
	}
	n := 1
	for n < len(tables) && first+n <= mostNumber && tables[n].Area == tables[0].Area && tables[n].Name == strconv.Itoa(first+n) {
		n++
	}
	return n
}
