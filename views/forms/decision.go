package forms

import "forecourt/views/ui"

// What staff are told of a decision that was not recorded.
const (
	NoReason     = "Say why, in words for the applicant"
	DecidedOther = "Somebody else decided this form, or the applicant sent it again, while you looked at it. Nothing of yours was recorded. This is how it stands now."
)

// DecisionFormOf is an empty decision form, or one with what was chosen.
func DecisionFormOf(handedIn, state, reason string) *ui.Decision {
	return ui.NewDecision(handedIn, state, reason, "The applicant reads this. It may stay empty for an approval.",
		ui.Option{Value: "approved", Label: "Approve"},
		ui.Option{Value: "returned", Label: "Ask for more", Hint: "Opens the form again, with your reason on top"},
		ui.Option{Value: "declined", Label: "Decline"})
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
