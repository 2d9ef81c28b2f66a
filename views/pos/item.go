package pos

import (
	"strconv"

	"forecourt/internal/kit/printable"
	"forecourt/views/ui"
)

// Wrong reports whether something has to be chosen or written anew.
func (f ItemForm) Wrong() bool {
	for _, field := range f.fields() {
		if field.Problem != "" {
			return true
		}
	}
	return false
}

// submit labels the form's button.
func (f ItemForm) submit() string {
	if f.Edit != "" {
		return "Save"
	}
	return "Add to order"
}

// fields returns those that may have a problem, in the order of the page.
func (f ItemForm) fields() []ui.Field {
	var fields []ui.Field
	for _, g := range f.Groups {
		fields = append(fields, ui.Field{ID: g.element(), Problem: g.Problem})
	}
	if f.Note != nil {
		fields = append(fields, *f.Note)
	}
	return append(fields, f.Qty)
}

func (g Group) element() string { return "g" + idText(g.ID) }

// Rule says how many may be chosen.
func (g Group) Rule() string {
	switch {
	case g.Min == 1 && g.Max == 1:
		return "Choose one"
	case g.Min == g.Max:
		return "Choose " + strconv.Itoa(g.Min)
	case g.Min == 0 && g.Max >= len(g.Choices):
		return "Choose any"
	case g.Min == 0:
		return "Choose up to " + strconv.Itoa(g.Max)
	default:
		return "Choose " + strconv.Itoa(g.Min) + " to " + strconv.Itoa(g.Max)
	}
}

// Missing says that too little is chosen.
func (g Group) Missing() string { return g.Rule() + " for " + printable.Isolated(g.Name) }

// single reports whether at most one choice counts.
func (g Group) single() bool { return g.Max == 1 && (g.Min == 1 || len(g.Choices) > 1) }

// chosen returns how many of the choices are chosen.
func (g Group) chosen() (n int) {
	for _, c := range g.Choices {
		if c.Chosen {
			n++
		}
	}
	return n
}

// enough reports whether what has to be chosen is chosen.
func (g Group) enough() bool { return g.chosen() >= g.Min }

func (g Group) kind() string {
	if g.single() {
		return "radio"
	}
	return "checkbox"
}
