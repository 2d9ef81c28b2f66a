package card

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// redacted is what every way of printing card data shows.
const redacted = "[redacted]"

// ErrStored is returned by the database driver for a card number or a card security code used as a query argument.
var ErrStored = errors.New("card data must not reach the database")

// secret holds characters that must not be printed by accident. They sit behind a pointer because fmt cannot call the
// methods of a value in an unexported field: there it would print a plain string, but of a pointer only the address.
type secret struct{ text *string }

func newSecret(text string) secret { return secret{&text} }

func (s secret) reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Format implements fmt.Formatter for every verb.
func (secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// String implements fmt.Stringer.
func (secret) String() string { return redacted }

// GoString implements fmt.GoStringer.
func (secret) GoString() string { return redacted }

// MarshalJSON implements json.Marshaler.
func (secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText implements encoding.TextMarshaler.
func (secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue implements slog.LogValuer.
func (secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// Value implements driver.Valuer; it always returns ErrStored.
func (secret) Value() (driver.Value, error) { return nil, ErrStored }
