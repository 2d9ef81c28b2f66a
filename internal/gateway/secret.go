package gateway

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is the gateway's bearer key; it prints as "[redacted]". The text sits behind a pointer because fmt cannot call
// the methods of a value in an unexported field: there it would print a plain string, but of a pointer only the address.
type Secret struct{ text *string }

// NewSecret hides a key.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal returns the key, for the Authorization header only; "" of the zero value.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Format implements fmt.Formatter for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// String implements fmt.Stringer, which a panic that nobody stops calls.
func (Secret) String() string { return "[redacted]" }

// MarshalText implements encoding.TextMarshaler, and with it JSON.
func (Secret) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("[redacted]") }
