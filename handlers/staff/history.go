package staff

import (
	"cmp"
	"slices"
	"time"

	"forecourt/internal/kit/printable"
	"forecourt/internal/people/review"
)

// oneLook is how long repeated looks at a case count as one in the history.
const oneLook = time.Hour

// Look is an audit action that changed nothing: staff looked at a part of a case.
type Look struct {
	Action string
	Part   string // what they looked at: "the details"
}

func (k Kind) isLook(action string) bool {
	return slices.ContainsFunc(k.Looks, func(l Look) bool { return l.Action == action })
}

// history returns what happened as the page shows it, newest first. It combines consecutive looks of one person.
func (k Kind) history(events []review.Event) []review.Event {
	events = slices.Clone(events)
	slices.Reverse(events)
	var shown []review.Event
	for i := 0; i < len(events); {
		first, actions := events[i], []string{}
		for ; i < len(events); i++ {
			e := events[i]
			alike := k.isLook(e.Action) && k.isLook(first.Action) && e.Actor == first.Actor && first.At.Sub(e.At) < oneLook
			if len(actions) > 0 && !alike {
				break
			}
			actions = append(actions, e.Action)
		}
		shown = append(shown, review.Event{At: first.At, Actor: first.Actor, Action: k.words(actions), Reason: first.Reason})
	}
	return shown
}

// words describes an action, or several consecutive looks.
func (k Kind) words(actions []string) string {
	var parts []string
	for _, l := range k.Looks {
		if slices.Contains(actions, l.Action) {
			parts = append(parts, l.Part)
		}
	}
	if len(parts) == 0 {
		return cmp.Or(k.Actions[actions[0]], actions[0])
	}
	return "looked at " + printable.List(parts)
}
