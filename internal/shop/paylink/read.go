package paylink

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Row is a pay link as it was sent, as strings: the amount as "12.50", the expiry as a day (2027-01-31, up to its end where
// the business is) or a moment (2027-01-31T09:30:00Z). Only the amount is required.
type Row struct {
	Amount, Currency, Reference, Description, Expires string
	// Unread lists fields that were neither a string nor a number, or that occurred twice.
	Unread []string
	// Whole says what is wrong with a row without usable fields.
	Whole string
}

// read returns the pay link that the row asks for of a shop that sells in a currency, and which of its values cannot be read.
func (r Row) read(number int, currency string) (Wanted, Problems) {
	if r.Whole != "" {
		return Wanted{}, Problems{{Row: number, Reason: r.Whole}}
	}
	link := Wanted{Currency: r.Currency, Reference: r.Reference, Description: r.Description}
	var problems Problems
	for _, field := range r.Unread {
		problems = append(problems, Problem{Row: number, Field: field, Reason: field + " has to be one text or number"})
	}
	var err error
	if r.Amount != "" {
		if link.Amount, err = typed.Amount(r.Amount, cmp.Or(r.Currency, currency)); err != nil {
			problems = append(problems, Problem{number, "amount", badAmount})
		}
	}
	if link.Expires, err = ParseExpiry(r.Expires); err != nil {
		problems = append(problems, Problem{number, "expires", badExpiry})
	}
	return link, problems
}

const (
	badAmount = "the amount has to be written like 12.50, from 0.01 to 999999.99"
	badExpiry = "the expiry has to be a day such as 2027-01-31 or a moment such as 2027-01-31T09:30:00Z"
)

// set sets the field of that name; unknown names are ignored.
func (r *Row) set(field, value string) {
	value = typed.Text(value)
	switch field {
	case "amount":
		r.Amount = value
	case "currency":
		r.Currency = value
	case "reference":
		r.Reference = value
	case "description":
		r.Description = value
	case "expires":
		r.Expires = value
	}
}

// ErrHeading means that the first line does not name the columns. It must name amount, and no column twice.
var ErrHeading = fault.New(fault.Invalid, "the first line does not name the columns")

// What is wrong with a row as a whole.
const (
	unquoted  = "the quotes do not match, so this row and those below it cannot be read"
	tooWide   = "the row has more values than the first line has names; a value with a separator in it needs quotes"
	notObject = "a row has to be an object"
)

// columns are the columns that a batch can have.
var columns = []string{"amount", "currency", "reference", "description", "expires"}

// ReadCSV reads a table whose first line names the columns, in any order; unknown ones are ignored. The separator is a comma, a
// semicolon or a tab, whichever the first line uses. The table may begin with a byte order mark, as spreadsheets write it, also for
// UTF-16. Lines without any value do not count. A row that cannot be parsed is reported as a problem of that row. Errors:
// those of printable.Decode, ErrHeading, ErrTooMany.
func ReadCSV(body []byte) ([]Row, error) {
	r, _, assumed, err := printable.Table(body)
	switch {
	case errors.Is(err, printable.ErrCells):
		return nil, ErrTooMany
	case err != nil:
		return nil, err
	case assumed != "": // nobody looks at the links before they are made
		return nil, printable.ErrEncoding
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
			return append(rows, Row{Whole: unquoted}), nil //nolint:nilerr // told as a problem of that row
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
		name = strings.ToLower(typed.Line(name))
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
		return Row{Whole: tooWide}
	}
	var row Row
	for i, cell := range cells {
		row.set(names[i], cell)
	}
	return row
}

// Why the body of a batch is refused as a whole.
var (
	// ErrJSON means that the body is not the JSON of a batch.
	ErrJSON = fault.New(fault.Invalid, "the body is not the JSON of a batch")
	// ErrList is the ErrJSON of "transactions" that is not a list.
	ErrList = fault.Wrap(fault.Invalid, ErrJSON, "transactions is not a list")
)

// ReadJSON reads {"transactions": [{"amount": "12.50", …}, …]}, or just the list. A row that is not an object, or that has a field
// twice, is reported as a problem of that row. Errors: ErrJSON, ErrList, ErrTooMany.
func ReadJSON(body []byte) ([]Row, error) {
	body = bytes.TrimSpace(body)
	if !utf8.Valid(body) || len(body) == 0 {
		return nil, ErrJSON
	}
	if printable.JSONElements(body) > 2*Max { // others may be in fields that nobody reads
		return nil, ErrTooMany
	}
	var sent struct {
		Transactions []json.RawMessage `json:"transactions"`
	}
	var err error
	if body[0] == '[' {
		err = json.Unmarshal(body, &sent.Transactions)
	} else {
		err = json.Unmarshal(body, &sent)
	}
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) && wrong.Field != "" {
		return nil, ErrList
	}
	if err != nil {
		return nil, ErrJSON // the decoder's message may quote the body
	}
	rows := make([]Row, len(sent.Transactions))
	for i, text := range sent.Transactions {
		rows[i] = readObject(text)
	}
	return rows, nil
}

// object is a row of JSON.
type object struct {
	Amount, Currency, Reference, Description, Expires cell
}

func readObject(text []byte) Row {
	var o object
	if text[0] != '{' || json.Unmarshal(text, &o) != nil {
		return Row{Whole: notObject}
	}
	var row Row
	for i, c := range []cell{o.Amount, o.Currency, o.Reference, o.Description, o.Expires} {
		if c.bad {
			row.Unread = append(row.Unread, columns[i])
			continue
		}
		row.set(columns[i], c.text)
	}
	return row
}

// cell is a string or a number that occurs once.
type cell struct {
	text     string
	set, bad bool
}

// UnmarshalJSON never fails: anything else is recorded as bad.
func (c *cell) UnmarshalJSON(text []byte) error {
	c.bad, c.set = c.set, true
	switch text[0] {
	case '"':
		return json.Unmarshal(text, &c.text)
	case '{', '[', 't', 'f':
		c.bad = true
	case 'n': // null counts as empty
	default:
		c.text = string(text)
	}
	return nil
}
