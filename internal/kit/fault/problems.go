package fault

import (
	"maps"
	"slices"
	"strings"
)

// Problems say what is wrong with an input, in sentences for the person who typed it, by the name of the field. The rule that refuses
// words them. As an error they are Invalid.
type Problems map[string]string

// Err returns the problems as an error, nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Note notes what is wrong with a field, unless nothing is.
func (p Problems) Note(field, wrong string) {
	if wrong != "" {
		p[field] = wrong
	}
}

// Error names the fields, but nothing that was typed.
func (p Problems) Error() string { return "wrong: " + strings.Join(slices.Sorted(maps.Keys(p)), ", ") }

// Sentences returns what is wrong for the person who typed it, a line for each field in their order.
func (p Problems) Sentences() string {
	var lines []string
	for _, field := range slices.Sorted(maps.Keys(p)) {
		lines = append(lines, strings.TrimPrefix(field+": "+p[field], ": "))
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the problems their code.
func (p Problems) Unwrap() error { return New(Invalid, "the input breaks a rule") }
