package ui

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

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

// optionID is the id of one of the boxes of a choice; the first is what the error summary leads to.
func (c Choice) optionID(i int) string {
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
