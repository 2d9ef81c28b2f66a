// Package ui holds the parts that pages share: fields, the error summary, buttons, icons.
package ui

// Field is one labelled control, ready to render.
type Field struct {
	ID, Name, Label, Hint, Value string
	Type                         string // HTML input type, "text" when empty
	Autocomplete, InputMode      string
	EnterKeyHint, Placeholder    string
	MaxLength                    int
	Pattern                      string // what the browser may check while somebody types, as a regular expression
	Required, Autofocus          bool
	Masked                       bool   // shown as dots, and no password: browsers do not offer to save it
	Problem                      string // what is wrong, in words for the person; empty if nothing
}

// Choice is a control with options, ready to render. ID names the control, or the first of several.
type Choice struct {
	Field
	Options []Option
}

// Option is one option of a Choice.
type Option struct {
	Value, Label, Hint string
	Chosen             bool
}
