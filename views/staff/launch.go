package staff

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/gatewayaccount"
	"forecourt/internal/shop"
	"forecourt/views/desk"
)

// Evidence is a part of what a decision on going live rests on.
type Evidence struct {
	Title     string
	Done      bool // a step of the checklist that is done; Given has none
	Given     bool // no step of the checklist
	Facts     []Linked
	Said      string          // in the owners' words
	Link, URL string          // to where it was decided; empty for nothing
	More      templ.Component // all of it, folded; nil for nothing
}

// Linked is a fact that may lead somewhere.
type Linked struct{ Name, Value, URL string }

// LaunchNotReady says why an approval was not recorded.
const LaunchNotReady = "Something is missing by now, so the approval was not recorded. The page says what."

// ModeNow words the mode of a business.
func ModeNow(live bool) string {
	if live {
		return "Takes real payments"
	}
	return "Test mode"
}

// WithTeam adds who works for the business.
func (e Evidence) WithTeam(team []shop.Member) Evidence {
	e.Given = true
	for _, m := range team {
		e.Facts = append(e.Facts, Linked{Name: desk.RoleName(m.Role), Value: m.Email})
	}
	return e
}

// PersonURL is where staff look at a person of a compliance record.
func PersonURL(record string, number int) string {
	return "/staff/compliance/" + record + "/" + strconv.Itoa(number)
}

// GatewayEvidence describes the account for live payments.
func GatewayEvidence(code string, kept []gatewayaccount.Kept) Evidence {
	e := Evidence{Title: "Gateway account", Link: "Gateway accounts", URL: "/staff/accounts/" + code}
	for _, k := range kept {
		if k.Live {
			e.Done = true
			for _, f := range accountFacts(k) {
				e.Facts = append(e.Facts, Linked{Name: f.Name, Value: f.Value})
			}
		}
	}
	return e
}

// StillMissing says what a business lacks to go live, "" for nothing.
func StillMissing(items []shop.Item) string {
	if len(items) == 0 {
		return ""
	}
	var names []string
	for _, item := range items {
		names = append(names, strings.ToLower(desk.StepTitle(item.Step)))
	}
	return "Missing to go live: " + strings.Join(names, ", ") + "."
}
