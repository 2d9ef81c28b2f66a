package shop

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/printable"
)

// Cursor is the row after which a page of a list begins. The zero value is the beginning.
type Cursor struct {
	At time.Time
	ID string
}

// ReadCursor reads a cursor of an address; an invalid one is the beginning.
func ReadCursor(text string) Cursor {
	micro, encoded, _ := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micro, 10, 64)
	id, wrong := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || wrong != nil || at < 0 || at > 250e15 || !printable.Line(string(id), 255) {
		return Cursor{}
	}
	return Cursor{At: time.UnixMicro(at), ID: string(id)}
}

// Newest returns the cursor of a list that begins with the newest row: where it is zero, one that is later than every stored moment.
func (c Cursor) Newest() Cursor {
	if c.At.IsZero() {
		c.At = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c
}

// String returns the cursor for an address.
func (c Cursor) String() string {
	return strconv.FormatInt(c.At.UnixMicro(), 10) + "." + base64.RawURLEncoding.EncodeToString([]byte(c.ID))
}

// Page returns the rows of a page, and the cursor of the next one, "" on the last. rows are one more than fit if there is a next page.
func Page[T any](rows []T, most int, last func(T) Cursor) (list []T, next string) {
	if len(rows) <= most {
		return rows, ""
	}
	return rows[:most], last(rows[most-1]).String()
}
