package compliance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"forecourt/db/state"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/compliance"
	"forecourt/views/ui"
)

// Texts of the specification, word for word (COMPL-01, COMPL-02, COMPL-10, COMPL-11).
const (
	Heading   = "Compliance Requirements"
	Lead      = "In order to finalise your application we need your assistance in obtaining some more information please."
	Next      = "Next"
	NotTicked = "Please tick the box to acknowledge"
	Tick      = "I have read and acknowledge both agreements, and may operate this account alone or " +
		"with the consent of everybody who has to sign for it."
	OtherText  = "The agreements changed while you read them. Please look at them again before you sign."
	AcceptedAt = "These details have already been accepted, so they were not changed."
	Busy       = "Many photos are arriving at the moment. Please try again in a minute. Nothing was saved."
	Unsent     = "That did not reach us. Please check your connection and try again."
)

// CutOff is the message for photos that are too large in total.
var CutOff = "Together the photos are too large: at most " + ui.MostTogether + " can be sent at a time. " +
	"Please add one at a time. What you typed is still here."

// StatusOf returns the class and the label of a person's state. lacking names what can still be added.
func StatusOf(p *compliance.Person, lacking []string) (class, label string) {
	switch {
	case p.State == state.PersonAccepted:
		return "accepted", "Accepted"
	case p.State == state.PersonReturned:
		return "returned", "We need more"
	case !p.Complete():
		return "todo", "To do"
	case slices.ContainsFunc(lacking, func(part string) bool { return !strings.Contains(part, "photo") }):
		return "partly", "Complete apart from what is below"
	case len(lacking) > 0:
		return "partly", "Complete apart from photos"
	default:
		return "complete", "Complete"
	}
}

// tones are the colours of the classes of StatusOf.
var tones = map[string]ui.Tone{"accepted": ui.Good, "complete": ui.Good, "returned": ui.Warning}

// lacking names the details of a person that are still missing.
func lacking(p *compliance.Person) (words []string) {
	for _, part := range p.Lacking() {
		switch part {
		case compliance.AddressPart:
			words = append(words, "the address")
		case compliance.DobPart:
			words = append(words, "the date of birth")
		case compliance.LicencePart:
			if p.LicenseNo == "" {
				words = append(words, "the licence number")
			}
			switch {
			case !p.Front && !p.Back:
				words = append(words, "photos of both sides of the licence")
			case !p.Front:
				words = append(words, "a photo of the front of the licence")
			case !p.Back:
				words = append(words, "a photo of the back of the licence")
			}
		}
	}
	return words
}

// StillToAdd says what can still be added about a person, "" if nothing.
func StillToAdd(p *compliance.Person) string {
	if list := lacking(p); len(list) > 0 {
		return "Still to add: " + printable.List(list) + "."
	}
	return ""
}

// standing says that the shown details are stored, and what can still be added. Beside problems it says nothing, because neither is true
// then.
func (p Page) standing() string {
	if len(p.Problems) > 0 || p.Open.Revision == 0 {
		return ""
	}
	return strings.TrimSpace("Saved " + momentOf(p.Open.ChangedAt) + ". " + StillToAdd(p.Open))
}

// progress says how far a record is, and whether nothing is left to do for anybody.
func (p Page) progress() (text string, finished bool) {
	count := map[string]int{}
	for i := range p.People {
		class, _ := StatusOf(&p.People[i], lacking(&p.People[i]))
		count[class]++
	}
	finished = count["accepted"]+count["complete"] == len(p.People)
	switch {
	case count["returned"] > 0:
		return "We need a little more from you: see below.", finished
	case count["accepted"] == len(p.People):
		return "Everybody’s identity is accepted. There is nothing more to do here.", finished
	case finished:
		return "That is all we need. Thank you. We will review it and email you.", finished
	case len(p.People) == 1:
		return strconv.Itoa(p.Complete()) + " of 1 person complete", finished
	}
	return fmt.Sprintf("%d of %d people complete", p.Complete(), len(p.People)), finished
}

// business says which business a record is about and, if the shop has another name, which shop it is for.
func (p Page) business() string {
	if p.Shop == "" || strings.Contains(p.Business, p.Shop) {
		return "For " + p.Business
	}
	return "For " + p.Business + " (" + p.Shop + ")"
}
