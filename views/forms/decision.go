package forms

import "forecourt/views/ui"

// DecisionForm asks for a decision.
type DecisionForm struct {
	HandedIn string // which submission is looked at
	Choice   ui.Choice
	Reason   ui.Field
}

// Problems are what is wrong with a decision.
func (d *DecisionForm) Problems() []ui.Field { return []ui.Field{d.Choice.Field, d.Reason} }

// What staff are told of a decision that was not recorded.
const (
	NoDecision   = "Choose a decision"
	NoReason     = "Say why, in words for the applicant"
	LongReason   = "The reason has at most 2,000 letters"
	DecidedOther = "Somebody else decided this form, or the applicant sent it again, while you looked at it. Nothing of yours was recorded. This is how it stands now."
)

// DecisionFormOf is an empty decision form, or one with what was chosen.
func DecisionFormOf(handedIn, state, reason string) *DecisionForm {
	d := &DecisionForm{
		HandedIn: handedIn,
		Choice:   ui.Choice{Field: ui.Field{ID: "decision", Name: "decision", Label: "Decision"}},
		Reason: ui.Field{
			ID: "reason", Name: "reason", Label: "Reason", Value: reason,
			Hint: "The applicant reads this. It may stay empty for an approval.",
		},
	}
	for _, o := range []ui.Option{
		{Value: "approved", Label: "Approve"},
		{Value: "returned", Label: "Ask for more", Hint: "Opens the form again, with your reason on top"},
		{Value: "declined", Label: "Decline"},
	} {
		o.Chosen = o.Value == state
		d.Choice.Options = append(d.Choice.Options, o)
	}
	return d
}

// StaffState words a state for staff.
func StaffState(state string) State {
	return State{Name: state, Label: map[string]string{
		"submitted": "Waiting", "returned": "Asked for more", "approved": "Approved", "declined": "Declined", "": "All",
	}[state]}
}

// HistoryWords is what happened, by the audit's name for it.
func HistoryWords(action string) string {
	text, ok := map[string]string{
		"form submitted": "sent the form", "form approved": "approved it", "form declined": "declined it", "form returned": "asked for more",
	}[action]
	if !ok {
		return action
	}
	return text
}
