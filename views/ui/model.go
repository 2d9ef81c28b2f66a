// Package ui holds the parts that pages share: fields, the error summary, buttons, icons.
package ui

// Field is one labelled control, ready to print.
type Field struct {
	ID, Name, Label, Hint, Value string
	Type                         string // HTML input type, "text" when empty
	Autocomplete, InputMode      string
	EnterKeyHint, Placeholder    string
	MaxLength                    int
	Required                     bool
	Problem                      string // what is wrong, worded for the person; empty when nothing is
}
