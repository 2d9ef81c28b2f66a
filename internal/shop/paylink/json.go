package paylink

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

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
	if printable.JSONElements(body, 1)[0] > 2*Max { // others may be in fields that nobody reads
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
		return Row{Whole: "no row"}
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
