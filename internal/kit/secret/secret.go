// Package secret keeps secrets: texts that must not be printed or stored by accident, such as card numbers, keys and tokens; keys derived
// from the program's own secret; boxes that only those keys open; and hashes of passwords.
package secret

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Redacted is the text that is printed in place of any secret.
const Redacted = "[redacted]"

// ErrStored is returned by the database driver for a secret used as a query argument.
var ErrStored = errors.New("a secret must not reach the database")

// Text is a secret text. It is behind a pointer because fmt cannot call the methods of a value in an unexported field: there fmt would
// print a plain string, but of a pointer it prints only the address. The zero value is the empty text.
type Text struct{ text *string }

// New hides a text.
func New(text string) Text { return Text{&text} }

// Reveal returns the text, for code that has to work with it.
func (t Text) Reveal() string {
	if t.text == nil {
		return ""
	}
	return *t.text
}

// IsZero reports whether nothing was hidden.
func (t Text) IsZero() bool { return t.text == nil }

// Format implements fmt.Formatter for every verb.
func (Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Redacted) }

// String implements fmt.Stringer, which a panic that nobody stops calls.
func (Text) String() string { return Redacted }

// GoString implements fmt.GoStringer.
func (Text) GoString() string { return Redacted }

// MarshalText implements encoding.TextMarshaler, and with it JSON.
func (Text) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// LogValue implements slog.LogValuer.
func (Text) LogValue() slog.Value { return slog.StringValue(Redacted) }

// Value implements driver.Valuer; it always returns ErrStored.
func (Text) Value() (driver.Value, error) { return nil, ErrStored }
