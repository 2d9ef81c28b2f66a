package menu

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/printable"
)

// Wrong is something in a file that cannot be read or is not allowed.
type Wrong struct {
	Row     int    // as a spreadsheet counts, the headings being 1; 0 if it is not about a row
	Column  string // "" if it is not about a column
	Subject string // the part of the menu it is about, such as `item "Toast"`; "" if it has no name
	Text    string // for the person who made the file
}

func (w Wrong) String() string {
	var where []string
	if w.Row > 0 {
		where = append(where, "row "+strconv.Itoa(w.Row))
	}
	if w.Column != "" {
		where = append(where, "column "+w.Column)
	}
	if w.Subject != "" {
		where = append(where, w.Subject)
	}
	if len(where) == 0 {
		return w.Text
	}
	text := strings.Join(where, ", ")
	return strings.ToUpper(text[:1]) + text[1:] + ": " + w.Text
}

// mostWrong is how many mistakes of a file are listed at once.
const mostWrong = 20

// Wrongs returns the faults of a menu with their texts.
func Wrongs(faults []Fault) (list []Wrong) {
	for _, f := range faults {
		if len(list) == mostWrong {
			return append(list, Wrong{Text: fmt.Sprintf("And %d more.", len(faults)-mostWrong)})
		}
		list = append(list, Wrong{Subject: subject(f), Text: Words(f.Kind, f.Field, f.Problem)})
	}
	return list
}

// subject names the thing with a fault, without repeating a card number.
func subject(f Fault) string {
	if card.HoldsCard(f.Name) {
		return "a " + f.Kind
	}
	return nonempty(printable.Short(f.Name), "a "+f.Kind+" without a name")
}

// ReadCSV reads a file as WriteCSV writes it, or with fewer columns. category, name and price are needed. A field whose
// column is missing keeps its value from base, where the same item is found by its id or else by its name. Without rows of choices, the
// option groups of base stay. locations are those of the shop; nil allows any.
func ReadCSV(r io.Reader, base Menu, locations []string) (Menu, []Wrong) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Menu{}, []Wrong{{Text: "The file cannot be read."}}
	}
	data = printable.Decode(data)
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord = separator(data), -1
	if printable.TooManyCells(data, in.Comma) {
		return Menu{}, []Wrong{{Text: tooBig()}}
	}
	t := table{base: base.Clone(), at: map[string]int{}}
	for row := 1; ; row++ {
		row += emptyLines(data[in.InputOffset():])
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Menu{}, []Wrong{{Row: row, Text: "This row is not CSV. Look for a quotation mark that is not closed."}}
		}
		if t.head == nil {
			if wrong := t.heading(cells); len(wrong) > 0 {
				return Menu{}, wrong
			}
			continue
		}
		if len(t.rows) == mostRows {
			return Menu{}, []Wrong{{Text: tooBig()}}
		}
		t.rows = append(t.rows, record{row, cells})
	}
	if t.head == nil {
		return Menu{}, []Wrong{{Text: "The file is empty."}}
	}
	return t.read(locations)
}

// emptyLines counts the empty lines at the start of data, which the reader skips and spreadsheets count.
func emptyLines(data []byte) (n int) {
	for _, c := range data {
		switch c {
		case '\n':
			n++
		case '\r':
		default:
			return n
		}
	}
	return n
}

func separator(data []byte) rune {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	for _, mark := range []rune{';', '\t'} {
		if bytes.ContainsRune(first, mark) && !bytes.ContainsRune(first, ',') {
			return mark
		}
	}
	return ','
}

// record is a row of a file with its number.
type record struct {
	number int
	cells  []string
}

// table is a CSV file being read.
type table struct {
	base  Menu
	head  map[string]int // columns by name
	rows  []record
	menu  Menu
	at    map[string]int // rows by kind and name
	wrong []Wrong
}

// synonyms are other names that people give columns.
var synonyms = map[string]string{
	"item": colName, "loc": colLoc, "kitchen": colLoc, "contains": colContains,
	"options": colGroups, "group": colGroup, "diet": colDiets, "section": colCategory,
}

func (t *table) heading(cells []string) (wrong []Wrong) {
	t.head = map[string]int{}
	for n, cell := range cells {
		name := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(cell), "_", " ")), " ")
		if other := synonyms[name]; other != "" {
			name = other
		}
		if name == "" {
			continue
		}
		if len(wrong) == mostWrong {
			return wrong
		}
		if !slices.Contains(columns, name) {
			wrong = append(wrong, Wrong{Row: 1, Column: printable.Short(cell),
				Text: "There is no such column. Use " + strings.Join(Columns(), ", ") + "."})
			continue
		}
		if _, twice := t.head[name]; twice {
			wrong = append(wrong, Wrong{Row: 1, Column: printable.Short(cell), Text: "This column appears twice."})
		}
		t.head[name] = n
	}
	for _, name := range []string{colCategory, colName, colPrice} {
		if _, has := t.head[name]; !has {
			wrong = append(wrong, Wrong{Row: 1, Column: name, Text: "This column is missing."})
		}
	}
	return wrong
}

// cell returns a cell of a row, and whether the file has its column.
func (t *table) cell(row record, column string) (string, bool) {
	n, has := t.head[column]
	if !has || n >= len(row.cells) {
		return "", has
	}
	return strings.TrimSpace(printable.FromCell(strings.TrimSpace(row.cells[n]))), has
}

func (t *table) fail(row record, column, text string) {
	t.wrong = append(t.wrong, Wrong{Row: row.number, Column: column, Text: text})
}

func (t *table) read(locations []string) (Menu, []Wrong) {
	var items []record
	for n, row := range t.rows {
		if t.overfull(n) {
			return Menu{}, []Wrong{{Text: tooBig()}}
		}
		category, _ := t.cell(row, colCategory)
		group, _ := t.cell(row, colGroup)
		switch {
		case group != "":
			t.readChoice(row, group)
		case category == "" && strings.Join(row.cells, "") != "":
			t.fail(row, colCategory, "Enter a category.")
		case category != "":
			items = append(items, row)
		}
	}
	if len(t.menu.Groups) == 0 {
		t.menu.Groups = t.base.Groups
	}
	for n, row := range items {
		if t.overfull(n) {
			return Menu{}, []Wrong{{Text: tooBig()}}
		}
		name, _ := t.cell(row, colName)
		if price, _ := t.cell(row, colPrice); name == "" && price == "" {
			c := t.category(row)
			t.set(row, colHours, func(cell string) (text string) { c.Hours, text = hours(cell); return text })
			continue
		}
		t.readItem(row)
	}
	tidy, faults := t.menu.Check(locations)
	if len(t.wrong) == 0 { // a cell that cannot be read causes further mistakes
		for _, f := range faults {
			t.wrong = append(t.wrong, Wrong{Row: t.at[key(f.Kind, f.Name)], Column: columnOf(f.Field), Text: Words(f.Kind, f.Field, f.Problem)})
		}
	}
	if len(t.wrong) == 0 && tidy.Count() == 0 {
		t.wrong = append(t.wrong, Wrong{Text: "The file has no items."})
	}
	if n := len(t.wrong); n > mostWrong {
		t.wrong = append(t.wrong[:mostWrong], Wrong{Text: fmt.Sprintf("And %d more.", n-mostWrong)})
	}
	return tidy, t.wrong
}

// overfull checks from time to time whether the rows so far hold far more than a menu can.
func (t *table) overfull(row int) bool { return row%256 == 255 && t.menu.oversized() }

func key(kind, name string) string { return kind + " " + strings.ToLower(name) }

// columnOf returns the column that a field is read from.
func columnOf(field string) string {
	column := map[string]string{
		"priceMinor": colPrice, "loc": colLoc, "contains": colContains, "mayContain": colMayContain, "groups": colGroups, "noteMax": colNote,
		"max": colChoose, "choices": colName,
	}[field[strings.LastIndex(field, ".")+1:]]
	if column == "" {
		return field
	}
	return column
}

// Columns lists the columns that an item can have in a CSV file.
func Columns() []string { return slices.Clone(columns[:13]) }
