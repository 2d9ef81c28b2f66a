package ui

import "strings"

func (f Field) inputType() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

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
