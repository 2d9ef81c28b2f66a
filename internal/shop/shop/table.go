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
)

var span = regexp.MustCompile(`^(\d{1,4})\s*(?:-|to)\s*(\d{1,4})$`)

// Tables lists the tables of a shop.
func (s *Shops) Tables(ctx context.Context, code string) ([]Table, error) {
	return s.queries.ShopTableList(ctx, code)
}

// SetTables replaces the tables of a shop with those that ParseTables reads. seen lists those that the person saw. It returns those that
// there are, if somebody has changed them meanwhile. Errors: fault.Problems of the field tables, ErrMissing, ErrRole.
func (s *Shops) SetTables(ctx context.Context, by Person, code, seen, text string) (now string, err error) {
	tables, problem := ParseTables(text)
	if problem != "" {
		return seen, fault.Problems{"tables": problem}
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
				"tables": "Somebody has changed the tables meanwhile, to " + cmp.Or(printable.Isolated(strings.ReplaceAll(now, "\n", "; ")), "none") +
					". Save again to put yours in their place.",
			}
		}
		return Change{Action: "tables changed", Detail: strconv.Itoa(len(tables)) + " tables"}, queries.ShopTableSet(ctx, code, names, areas)
	})
	return now, err
}

// ParseTables reads a list of tables: names and ranges of numbers, separated by commas or semicolons. Each line is an area, whose name may
// come first, followed by a colon: "Terrace: 1-8, 10, Window". The problem says what cannot be read.
func ParseTables(text string) (all []Table, problem string) {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		area, names := CutArea(line)
		if strings.Contains(names, ":") {
			return nil, "Leave colons out of the names of areas and tables."
		}
		if wrong := typed.Tidy(&area, mostArea, "area", ""); wrong != "" {
			return nil, wrong
		}
		listed := len(all)
		for part := range strings.FieldsFuncSeq(names, func(r rune) bool { return strings.ContainsRune(",;，؛،", r) }) {
			if wrong := typed.Tidy(&part, mostTableName, "table", ""); wrong != "" {
				return nil, wrong
			}
			if part == "" {
				continue
			}
			for _, name := range expand(part) {
				switch {
				case seen[typed.Alike(name)]:
					return nil, "There are two tables called " + printable.Isolated(name) + ". Give each its own name, so that orders reach the right one."
				case len(all) == mostTables:
					return nil, "List at most 500 tables."
				}
				seen[typed.Alike(name)] = true
				all = append(all, Table{Name: name, Area: area})
			}
		}
		if area != "" && len(all) == listed {
			return nil, "List the tables of " + printable.Isolated(area) + ", or leave it out."
		}
	}
	return all, ""
}

// CutArea returns the name of the area in a line of a list of tables, empty if it has none, and the names of its tables.
func CutArea(line string) (area, names string) {
	if area, names, named := strings.Cut(line, ":"); named {
		return strings.TrimSpace(area), strings.TrimSpace(names)
	}
	return "", strings.TrimSpace(line)
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
