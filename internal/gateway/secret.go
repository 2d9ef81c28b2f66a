package gateway

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is the gateway's bearer key; it prints as "[redacted]".
type Secret string

// Reveal returns the key, for the Authorization header only.
func (s Secret) Reveal() string { return string(s) }

// Format implements fmt.Formatter for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// MarshalText implements encoding.TextMarshaler, and with it JSON.
func (Secret) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("[redacted]") }
