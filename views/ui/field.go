// Package ui holds what pages share: the frames around them, their navigation and styles, fields, the error summary, buttons, icons.
package ui

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
)

// Field is one labelled control, ready to render.
type Field struct {
	ID, Name, Label, Hint, Value string
	Type                         string // HTML input type, "text" when empty
	Autocomplete, InputMode      string
	EnterKeyHint, Placeholder    string
	MaxLength                    int
	Pattern                      string // a regular expression that the browser may check while somebody types
	Required, Autofocus          bool
	Bare                         bool   // the label is only heard, since the head of a table or a legend shows it
	Masked                       bool   // shown as dots, but not a password: browsers do not offer to save it
	Problem                      string // what is wrong, in words for the person; empty if nothing
}

// Fields makes the fields of a form, whose problems it holds by their names.
type Fields fault.Problems

// Of returns a field with its id and its problem.
func (p Fields) Of(f Field) Field {
	f.ID, f.Problem = f.Name, p[f.Name]
	return f
}

// Summary returns the fields of those names for the ErrorSummary.
func (p Fields) Summary(names ...string) []Field {
	all := make([]Field, len(names))
	for i, name := range names {
		all[i] = Field{ID: name, Problem: p[name]}
	}
	return all
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

func (f Field) inputType() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// Shown is the value of a field with one line. A page never repeats a card number that was typed into a field for something else.
func (f Field) Shown() string {
	if f.Autocomplete != "cc-number" && card.HoldsCard(f.Value) {
		return ""
	}
	return f.Value
}

// shownLines is Shown for a field with several lines. A mark stands for each line that is left out, so that nobody sends the rest without
// noticing.
func (f Field) shownLines() string {
	lines := strings.Split(f.Value, "\n")
	for i, line := range lines {
		if card.HoldsCard(line) {
			lines[i] = leftOut
		}
	}
	return strings.Join(lines, "\n")
}

const leftOut = "[card number left out]"

// describedBy lists the ids of the texts that explain the field, in reading order.
func (f Field) describedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.ID+"-hint")
	}
	if f.Problem != "" {
		ids = append(ids, f.ID+"-problem")
	}
	return strings.Join(ids, " ")
}

func withProblem(fields []Field) []Field {
	var problems []Field
	for _, f := range fields {
		if f.Problem != "" {
			problems = append(problems, f)
		}
	}
	return problems
}

// OptionID is the id of one of the boxes of a choice; the first is what the error summary leads to.
func (c Choice) OptionID(i int) string {
	if i == 0 {
		return c.ID
	}
	return c.ID + "-" + strconv.Itoa(i+1)
}

// described links a control with the texts that explain it.
func (f Field) described() templ.Attributes {
	a := templ.Attributes{}
	if f.Problem != "" {
		a["aria-invalid"] = "true"
	}
	if ids := f.describedBy(); ids != "" {
		a["aria-describedby"] = ids
	}
	return a
}
