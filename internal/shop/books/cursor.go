package books

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

// String returns the cursor for an address.
func (c Cursor) String() string {
	return strconv.FormatInt(c.At.UnixMicro(), 10) + "." + base64.RawURLEncoding.EncodeToString([]byte(c.ID))
}

// ReadCursor reads what String wrote; an invalid cursor is the beginning.
func ReadCursor(text string) Cursor {
	micro, encoded, _ := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micro, 10, 64)
	id, wrong := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || wrong != nil || at < 0 || at > 250e15 || !printable.Line(string(id), 255) {
		return Cursor{}
	}
	return Cursor{At: time.UnixMicro(at), ID: string(id)}
}

// newest returns the cursor of a list that begins with the newest row: where it is zero, one that is later than every stored moment.
func (c Cursor) newest() Cursor {
	if c.At.IsZero() {
		c.At = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c
}
