// Package ui holds the parts that pages share: fields, the error summary, buttons, icons.
package ui

// Field is one labelled control, ready to print.
type Field struct {
	ID, Name, Label, Hint, Value string
	Type                         string // HTML input type, "text" when empty
	Autocomplete, InputMode      string
	EnterKeyHint, Placeholder    string
	MaxLength                    int
	Pattern                      string // what the browser may check while somebody types, as a regular expression
	Required, Autofocus          bool
	Problem                      string // what is wrong, worded for the person; empty when nothing is
}

// Choice is a control with things to choose from, ready to print. ID names the control, or the first of several.
type Choice struct {
	Field
	Options []Option
}

// Option is one thing to choose.
type Option struct {
	Value, Label, Hint string
	Chosen             bool
}
