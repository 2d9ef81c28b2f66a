package paylink

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// ErrHeading means that the first line does not name the columns. It must name amount, and no column twice.
var ErrHeading = fault.New(fault.Invalid, "the first line does not name the columns")

// columns are the columns that a batch can have.
var columns = []string{"amount", "currency", "reference", "description", "expires"}

// ReadCSV reads a table whose first line names the columns, in any order; unknown ones are ignored. The separator is a comma, a
// semicolon or a tab, whichever the first line uses. The table may begin with a byte order mark, as spreadsheets write it, also for
// UTF-16. Lines without any value do not count. A row that cannot be parsed is reported as a problem of that row. Errors:
// ErrHeading, ErrTooMany.
func ReadCSV(body []byte) ([]Row, error) {
	text := printable.Decode(body)
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = separator(text), -1
	if printable.TooManyCells(text, r.Comma) {
		return nil, ErrTooMany
	}
	names, err := heading(r)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for {
		cells, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil: // what follows cannot be parsed, either
			return append(rows, Row{Whole: "quotes"}), nil //nolint:nilerr // told as a problem of that row
		case !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }):
			continue
		}
		rows = append(rows, readCells(names, cells))
		if len(rows) > Max {
			return rows, nil // already too many
		}
	}
}

func heading(r *csv.Reader) ([]string, error) {
	names, err := r.Read()
	if err != nil {
		return nil, ErrHeading
	}
	seen := map[string]bool{}
	for i, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(columns, name) && seen[name] {
			return nil, ErrHeading
		}
		names[i], seen[name] = name, true
	}
	if !seen["amount"] {
		return nil, ErrHeading
	}
	return names, nil
}

func readCells(names, cells []string) Row {
	if len(cells) > len(names) {
		return Row{Whole: "columns"}
	}
	var row Row
	for i, cell := range cells {
		row.set(names[i], cell)
	}
	return row
}

// separator returns the separator that is most frequent in the first line, outside of quotes.
func separator(text []byte) rune {
	text = bytes.TrimLeft(text, "\r\n")
	count, quoted := map[rune]int{}, false
	for _, c := range string(text[:min(len(text), 4096)]) {
		if c == '\n' && !quoted {
			break
		}
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			count[c]++
		}
	}
	best := ','
	for _, c := range []rune{';', '\t'} {
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}
