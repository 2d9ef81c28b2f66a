package staff

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
	"forecourt/views/desk"
	"forecourt/views/ui"
)

// Evidence is a part of what a decision on going live rests on.
type Evidence struct {
	Title     string
	Done      bool // the step of the checklist is done; without meaning if Given
	Given     bool // a fact that is no step of the checklist
	Folded    bool // only its title is in sight
	Facts     []Linked
	Said      string          // in the owners' words
	Link, URL string          // to where it was decided; empty for nothing
	More      templ.Component // the whole of it, folded; nil for nothing
}

// Linked is a fact that may lead somewhere.
type Linked struct{ Name, Value, URL string }

// NotGiven stands for what a business did not say.
const NotGiven = "Not given"

// ModeNow returns the text for the mode of a business.
func ModeNow(live bool) string {
	if live {
		return "Takes real payments"
	}
	return "Test mode"
}

// NoShop says that an applicant has not set up a shop.
var NoShop = Evidence{
	Title: "The business here", Given: true, Said: "The applicant has not set up a business here yet: there is no menu to look at.",
}

// ShopEvidence says what is known about an applicant's shop. tested is the text for its first test order, "" for none.
func ShopEvidence(one shop.Shop, p golive.Progress, tested string) Evidence {
	e := Evidence{Title: one.Name, Given: true, Facts: []Linked{
		{Name: "Web address", Value: "/pos/" + one.Code, URL: "/pos/" + one.Code}, {Name: "Tagline", Value: one.Tagline},
		{Name: "ABN", Value: cmp.Or(one.Abn, NotGiven)}, {Name: "Sells in", Value: one.CountryCode + ", " + one.Currency},
		{Name: "Mode now", Value: ModeNow(one.Live)},
		{Name: "Menu", Value: map[bool]string{true: "Something is for sale", false: "Nothing is for sale yet"}[p.Menu]},
		{Name: "Tables", Value: ui.Count(int(p.Tables), "table")}, {Name: "First test order paid", Value: cmp.Or(tested, "None yet")},
	}}
	if p.Menu {
		e.Link, e.URL = "See the menu as guests do", "/pos/"+one.Code
	}
	if p.Record != "" {
		e.Facts = append(e.Facts,
			Linked{Name: "Agreement", Value: map[bool]string{true: "Signed", false: "Not signed yet"}[p.Signed]},
			Linked{Name: "Identities", Value: strconv.Itoa(int(p.Accepted)) + " of " + strconv.Itoa(int(p.People)) + " accepted"})
	}
	if p.Request != golive.NotAsked {
		e.Facts = append(e.Facts, Linked{Name: "Going live", Value: "See the request", URL: "/staff/live/" + one.Code})
	}
	return e
}

// FormLacking names the empty answers of an application that a decision may need, "" for none.
func FormLacking(f *form.Form) string {
	if f.Kind != form.Application || f.Data.NatureOfBusiness != "" {
		return ""
	}
	return "Not given: the nature of the business. If the menu does not show it, ask for more."
}

// WithTeam adds who works for the business.
func (e Evidence) WithTeam(team []shop.Member) Evidence {
	e.Given = true
	for _, m := range team {
		e.Facts = append(e.Facts, Linked{Name: desk.RoleName(shop.Role(m.Role)), Value: m.Email})
	}
	return e
}

// PersonURL is the address at which staff look at a person of a compliance record.
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
func StillMissing(items []golive.Item) string {
	if len(items) == 0 {
		return ""
	}
	var names []string
	for _, item := range items {
		names = append(names, strings.ToLower(desk.StepTitle(item.Step)))
	}
	return "Missing to go live: " + strings.Join(names, ", ") + "."
}
