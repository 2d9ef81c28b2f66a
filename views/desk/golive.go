package desk

import (
	"strings"
	"time"

	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/views/ui"
)

// Live is the page on which a business goes live, and back to test mode.
type Live struct {
	golive.Progress

	Owner      bool // the reader may ask and switch
	Reader     string
	Items      []Item      // the checklist
	Note       string      // of the owner to staff, as typed
	Asked      *form.Asked // about the application; nil for nothing
	AskedWrong string      // with the answer to that
	Zone       *time.Location
	Problem    string // why the last action failed
	Done       string // what was just done; empty if nothing was
}

// noteField asks what an owner wants to say to staff.
func (m Live) noteField() ui.Field {
	f := ui.Field{
		ID: "note", Name: "note", Label: "Anything we should know? (optional)",
		Value: m.Note, Hint: "The person who reviews your request reads this.",
	}
	if m.Request == golive.Returned {
		f.Label = "Your answer"
	}
	return f
}

// LiveTab names the page in the navigation of the desk.
func LiveTab(live bool) string {
	if live {
		return "Live"
	}
	return "Go live"
}

// title is the heading of the page.
func (m Live) title() string {
	switch {
	case m.Live:
		return "You take real payments"
	case len(needed(m.Items, false)) > 0:
		return "Go live"
	case m.Request == golive.Asked:
		return "We have your request"
	case m.Request == golive.Approved:
		return "You may go live"
	case m.Request == golive.Returned:
		return "We need a little more"
	default:
		return "Ready to go live"
	}
}

// lead is the sentence below the heading.
func (m Live) lead() string {
	switch {
	case m.Live:
		return "Guests pay with real money, and your receipts are real."
	case len(needed(m.Items, false)) > 0:
		return "In test mode nobody is charged. To take real payments, finish what is listed here."
	case m.Request == golive.Asked:
		return "We usually review it within one working day. We write to the owners as soon as it is " +
			"decided. Until then everything runs in test mode."
	case m.Request == golive.Returned:
		return "We looked at your request and need what is below. Provide it, then ask again."
	case m.Request == golive.Approved:
		return "We approved your request. You are still in test mode: switch when you are ready."
	default:
		return "We have everything that we need. Ask us to go live: a person reviews your request, usually within a working day."
	}
}

// returning says what going live again from test mode would take.
func (m Live) returning() string {
	missing := needed(m.Items, false)
	if len(missing) == 0 {
		return "You can switch to real payments again without asking."
	}
	names := make([]string, len(missing))
	for i, item := range missing {
		names[i] = strings.ToLower(item.Title)
	}
	return "To take real payments again, you first need to finish: " + strings.Join(names, ", ") + "."
}

// LiveDone returns the text for what was just done, "" for nothing.
func LiveDone(what string) string {
	return map[string]string{
		"answer": "Your answer is with us. We look at your application again and write to you.",
		"ask":    "Your request is with us.", "use": "Your application counts for this business now.",
		"live": "You are live. Guests pay with real money from now on.",
		"test": "You are back in test mode. Nobody is charged now.",
	}[what]
}
