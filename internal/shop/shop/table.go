package shop

import (
	"cmp"
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Limits of tables.
const (
	mostTables    = 500  // tables of a business
	mostTableName = 20   // characters of a table's name
	mostArea      = 40   // characters of an area's name
	mostNumber    = 9999 // in a range

	// MostTableForm is how many bytes the form of all tables may have: a row for each that was saved and for each that is typed, whose
	// characters take up to four bytes, escaped as three characters each.
	MostTableForm = 2 * mostTables * (mostArea + mostTableName + 4) * 4 * 3
)

// TableRow is a row of a list of tables: the name of an area, which may be empty, and names and ranges of numbers, separated by commas or
// semicolons, such as "1-8, 10, Window".
type TableRow struct{ Area, Tables string }

var span = regexp.MustCompile(`^(\d{1,4})\s*(?:-|to)\s*(\d{1,4})$`)

// Tables lists the tables of a shop.
func (s *Shops) Tables(ctx context.Context, code string) ([]Table, error) {
	return s.queries.ShopTableList(ctx, code)
}

// SetTables replaces the tables of a shop with those that ParseTables reads. seen lists those that the person saw. It returns those that
// there are, if somebody has changed them meanwhile. Errors: fault.Problems of the rows' fields, ErrMissing, ErrRole.
func (s *Shops) SetTables(ctx context.Context, by Person, code, seen string, rows []TableRow) (now string, err error) {
	tables, problems := ParseTables(rows)
	if problems != nil {
		return seen, problems
	}
	names, areas := make([]string, len(tables)), make([]string, len(tables))
	for i, t := range tables {
		names[i], areas[i] = t.Name, t.Area
	}
	err = s.Change(ctx, by, code, Edit, func(tx pgx.Tx) (Change, error) {
		queries := db.New(tx)
		if _, err := queries.ShopLock(ctx, code); err != nil {
			return Change{}, err
		}
		saved, err := queries.ShopTableList(ctx, code)
		if err != nil {
			return Change{}, err
		}
		if now = FormatTables(saved); now != seen {
			return Change{}, fault.Problems{
				"tables.0": "Somebody has changed the tables meanwhile, to " + cmp.Or(printable.Isolated(strings.ReplaceAll(now, "\n", "; ")), "none") +
					". Save again to put yours in their place.",
			}
		}
		return Change{Action: "tables changed", Detail: strconv.Itoa(len(tables)) + " tables"}, queries.ShopTableSet(ctx, code, names, areas)
	})
	return now, err
}

// ParseTables reads the rows of a list of tables. The problem says what cannot be read in the field area.N or tables.N, N from 0.
func ParseTables(rows []TableRow) (all []Table, _ fault.Problems) {
	seen := map[string]bool{}
	for n, row := range rows {
		refuse := func(field, problem string) ([]Table, fault.Problems) {
			return nil, fault.Problems{field + "." + strconv.Itoa(n): problem}
		}
		if wrong := typed.Tidy(&row.Area, mostArea, "area", ""); wrong != "" {
			return refuse("area", wrong)
		}
		listed := len(all)
		for part := range strings.FieldsFuncSeq(row.Tables, func(r rune) bool { return strings.ContainsRune(",;،؛，；、", r) }) {
			if wrong := typed.Tidy(&part, mostTableName, "table", ""); wrong != "" {
				return refuse("tables", wrong)
			}
			if part == "" {
				continue
			}
			for _, name := range expand(part) {
				switch {
				case seen[typed.Alike(name)]:
					return refuse("tables", "There are two tables called "+printable.Isolated(name)+
						". Give each its own name, so that orders reach the right one.")
				case len(all) == mostTables:
					return refuse("tables", "List at most 500 tables.")
				}
				seen[typed.Alike(name)] = true
				all = append(all, Table{Name: name, Area: row.Area})
			}
		}
		if row.Area != "" && len(all) == listed {
			return refuse("tables", "List the tables of "+printable.Isolated(row.Area)+", or leave it out.")
		}
	}
	return all, nil
}

// expand returns the names in a range of numbers, or part itself if it is not a range.
func expand(part string) []string {
	found := span.FindStringSubmatch(typed.Plain(part))
	if found == nil {
		return []string{part}
	}
	from, _ := strconv.Atoi(found[1])
	to, _ := strconv.Atoi(found[2])
	if to < from {
		return []string{part}
	}
	var names []string
	for n := from; n <= min(to, from+mostTables); n++ { // one too many is refused
		names = append(names, strconv.Itoa(n))
	}
	return names
}

// TableRows lists tables as ParseTables reads them.
func TableRows(tables []Table) (rows []TableRow) {
	for i := 0; i < len(tables); {
		if i == 0 || tables[i].Area != tables[i-1].Area {
			rows = append(rows, TableRow{Area: tables[i].Area})
		}
		row, run, names := &rows[len(rows)-1], runOf(tables[i:]), tables[i].Name
		if run > 2 {
			names += "-" + tables[i+run-1].Name
		} else {
			run = 1
		}
		if row.Tables != "" {
			names = ", " + names
		}
		row.Tables += names
		i += run
	}
	return rows
}

// FormatTables lists tables in words, a line for each area.
func FormatTables(tables []Table) string {
	var lines []string
	for _, row := range TableRows(tables) {
		if row.Area != "" {
			row.Area += ": "
		}
		lines = append(lines, row.Area+row.Tables)
	}
	return strings.Join(lines, "\n")
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
