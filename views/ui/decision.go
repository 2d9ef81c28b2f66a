package ui

// Decision is the form by which staff decide on what they look at.
type Decision struct {
	Seen   string // which state of it they look at
	Choice Choice
	Reason Field
}

// What staff are told of a decision that was not recorded.
const (
	NoDecision = "Choose a decision"
	LongReason = "The reason has at most 2,000 letters"
)

// NewDecision is an empty form, or one with the value that was chosen and why. The hint tells who reads the reason.
func NewDecision(seen, chosen, reason, hint string, options ...Option) *Decision {
	d := &Decision{
		Seen:   seen,
		Choice: Choice{Field: Field{ID: "decision", Name: "decision", Label: "Decision"}},
		Reason: Field{ID: "reason", Name: "reason", Label: "Reason", Value: reason, Hint: hint},
	}
	for _, o := range options {
		o.Chosen = o.Value == chosen
		d.Choice.Options = append(d.Choice.Options, o)
	}
	return d
}
