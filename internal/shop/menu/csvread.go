package menu

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// A file may have slack times what a menu may, so that it can be said what there is too much of, and up to mostRows rows. Larger files are
// refused before they cause much work. The largest menus once had 17,400 rows.
const (
	slack    = 5
	mostRows = 20_000
)

// oversized reports whether there is far more than a menu can hold.
func (m *Menu) oversized() bool {
	for n, count := range m.size() {
		if count > slack*bounds[n].most {
			return true
		}
	}
	return slices.ContainsFunc(m.Groups, func(g Group) bool { return len(g.Choices) > slack*MostChoices })
}

var tooBig = []Fault{{
	Text: "The file is too large for a menu, which has at most 1,000 items, 100 categories, 200 sets of options and 3,000 choices.",
}}

// ReadCSV reads a file as WriteCSV writes it, or with fewer columns. category, name and price are needed. A field whose
// column is missing keeps its value from the draft, where the same item is found by its id or else by its name. Without rows of choices,
// the option groups of the draft stay. Without locations, any are allowed. assumed says, in sentences, what the file leaves open.
func ReadCSV(data []byte, now State) (m Menu, assumed []string, faults []Fault) {
	in, data, encoding, err := printable.Table(data)
	switch {
	case errors.Is(err, printable.ErrCells):
		return Menu{}, nil, tooBig
	case err != nil:
		return Menu{}, nil, []Fault{{Text: err.Error()}}
	}
	t := table{base: now.Draft.Clone(), currency: now.Currency, holidays: now.Holidays, at: map[string]int{}}
	if encoding != "" {
		t.assume("The file does not say how its letters are written. We read it as " + encoding + ": look at those with accents.")
	}
	for n := 1; ; n++ {
		n += emptyLines(data[in.InputOffset():])
		cells, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && t.head == nil:
			return Menu{}, nil, []Fault{{Text: "The file is empty."}}
		case errors.Is(err, io.EOF):
			m, faults = t.read(now.Locations)
			return m, t.assumed, faults
		case err != nil:
			return Menu{}, nil, []Fault{{Row: n, Text: "This row is not CSV. Look for a quotation mark that is not closed."}}
		case t.head == nil:
			if faults := t.heading(cells); len(faults) > 0 {
				return Menu{}, nil, faults
			}
		case len(t.rows) == mostRows:
			return Menu{}, nil, tooBig
		default:
			if len(cells) > t.width && strings.Join(cells[t.width:], "") != "" {
				t.faults = append(t.faults, Fault{Row: n,
					Text: "The row has more values than the first line has names. A value with a separator in it needs quotes."})
			}
			t.rows = append(t.rows, row{&t, n, cells})
		}
	}
}

// emptyLines counts the empty lines at the start of data, which the reader skips and spreadsheets count.
func emptyLines(data []byte) int {
	return bytes.Count(data[:len(data)-len(bytes.TrimLeft(data, "\r\n"))], []byte("\n"))
}

// table is a CSV file being read.
type table struct {
	base     Menu
	currency string         // of the prices
	holidays []string       // names that hours may have; nil allows any
	head     map[string]int // columns by name
	width    int            // of the first line, in columns
	rows     []row
	menu     Menu
	at       map[string]int // rows by kind and name
	faults   []Fault
	// assumed says, in sentences, what the file leaves open, each once.
	assumed []string
}

// assume notes what the file leaves open.
func (t *table) assume(sentence string) {
	if !slices.Contains(t.assumed, sentence) {
		t.assumed = append(t.assumed, sentence)
	}
}

// synonyms are other names that people give columns.
var synonyms = map[string]string{
	"item": colName, "loc": colLoc, "kitchen": colLoc, "contains": colContains,
	"options": colGroups, "group": colGroup, "diet": colDiets, "section": colCategory,
}

func (t *table) heading(cells []string) (faults []Fault) {
	t.head, t.width = map[string]int{}, len(cells)
	for n, cell := range cells {
		name := typed.Line(strings.ReplaceAll(strings.ToLower(cell), "_", " "))
		if other := synonyms[name]; other != "" {
			name = other
		}
		if name == "" {
			continue
		}
		if len(faults) == mostFaults {
			return faults
		}
		if !slices.Contains(columns, name) {
			faults = append(faults, Fault{Row: 1, Column: printable.Short(cell),
				Text: "There is no such column. Use " + strings.Join(Columns(), ", ") + "."})
			continue
		}
		if _, twice := t.head[name]; twice {
			faults = append(faults, Fault{Row: 1, Column: printable.Short(cell), Text: "This column appears twice."})
		}
		t.head[name] = n
	}
	for _, name := range []string{colCategory, colName, colPrice} {
		if _, has := t.head[name]; !has {
			faults = append(faults, Fault{Row: 1, Column: name, Text: "This column is missing."})
		}
	}
	return faults
}

func (t *table) read(locations []string) (Menu, []Fault) {
	var items []row
	for n, r := range t.rows {
		if t.overfull(n) {
			return Menu{}, tooBig
		}
		category, group := r.text(colCategory), r.text(colGroup)
		switch {
		case group != "":
			r.readChoice(typed.Line(group))
		case category == "" && strings.TrimSpace(strings.Join(r.cells, "")) != "":
			r.fail(colCategory, "Enter a category.")
		case category != "":
			items = append(items, r)
		}
	}
	if len(t.menu.Groups) == 0 {
		t.menu.Groups = t.base.Groups
	}
	for n, r := range items {
		if t.overfull(n) {
			return Menu{}, tooBig
		}
		if r.text(colName) == "" && r.text(colPrice) == "" {
			set(r, colHours, &r.category().Hours, r.hours)
			set(r, colOtherHours, &r.category().OtherHours, r.hours)
			continue
		}
		r.readItem()
	}
	tidy, faults := t.menu.Check(locations)
	switch {
	case len(t.faults) > 0: // a cell that cannot be read causes further mistakes
		return tidy, limited(t.faults)
	case len(faults) == 0 && tidy.Count() == 0:
		return tidy, []Fault{{Text: "The file has no items."}}
	}
	for n, f := range faults {
		if f.Kind != "" {
			faults[n] = Fault{Row: t.at[key(f.Kind, f.Name)], Column: columnOf(f.Field), Text: f.Text}
		}
	}
	return tidy, faults
}

// overfull checks from time to time whether the rows so far hold far more than a menu can.
func (t *table) overfull(row int) bool { return row%256 == 255 && t.menu.oversized() }

// columnOf returns the column that a field is read from.
func columnOf(field string) string {
	column := map[string]string{
		"priceMinor": colPrice, "otherPriceMinor": colOtherPrice, "otherHours": colOtherHours,
		"loc": colLoc, "contains": colContains, "mayContain": colMayContain, "groups": colGroups, "noteMax": colNote,
		"max": colChoose, "choices": colName,
	}[field[strings.LastIndex(field, ".")+1:]]
	return cmp.Or(column, field)
}

// Columns lists the columns that an item can have in a CSV file.
func Columns() []string { return slices.Clone(columns[:16]) }

// row is a row of a file with its number.
type row struct {
	*table
	number int
	cells  []string
}

// cell returns a cell, and whether the file has its column.
func (r row) cell(column string) (string, bool) {
	n, has := r.head[column]
	if !has || n >= len(r.cells) {
		return "", has
	}
	return typed.Text(printable.FromCell(strings.TrimSpace(r.cells[n]))), has
}

func (r row) text(column string) string {
	cell, _ := r.cell(column)
	return cell
}

// id returns the id in a cell, 0 if it has none.
func (r row) id(column string) int64 {
	n, _ := strconv.ParseInt(r.text(column), 10, 64)
	return n
}

func (r row) fail(column, text string) {
	r.faults = append(r.faults, Fault{Row: r.number, Column: column, Text: text})
}

// set reads a cell into to if the file has its column; read says what is wrong with it.
func set[T any](r row, column string, to *T, read func(string) (value T, wrong string)) {
	cell, has := r.cell(column)
	if !has {
		return
	}
	value, wrong := read(cell)
	if *to = value; wrong != "" {
		r.fail(column, wrong)
	}
}
