// Package compliance renders the page on which merchants sign the direct debit agreement and identify people, and the parts of it that
// staff see.
package compliance

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/static"
	"forecourt/views/ui"
)

// Panel is the fragment that htmx swaps: everything below the page's heading.
const Panel = "compliance-panel"

// Page is the compliance page: the agreement until it is signed, then the people.
type Page struct {
	*compliance.Record
	Whole    string // the address of the page without a spinner first; empty if the page is already complete
	Notice   string // why something was not stored
	Problems fault.Problems
	Offer    compliance.Agreement
	Signing  compliance.Signing // what was typed below the agreement
	Open     *compliance.Person // the person whose tab is open; nil for the agreement
	Typed    *compliance.Change // what was typed about the person; nil for what is stored
}

func (p Page) head() ui.Head {
	h := ui.Head{Title: Heading, Lead: Lead}
	if p.ShopCode != "" {
		h.Back, h.BackName = "/desk/"+p.ShopCode+"/live", "Going live"
	}
	return h
}

func (p Page) frame() ui.Site {
	return ui.Site{Own: true, Title: Heading, Styles: []string{static.URL("compliance.css")}, Scripts: []string{static.URL("compliance.js")}}
}

// Path returns the address of a record's page.
func Path(id string) string { return "/compliance/" + id }

// Tab returns the address of a person's tab.
func Tab(id string, number int) string { return Path(id) + "?person=" + strconv.Itoa(number) }

// url is the page's own address, to which its forms are posted.
func (p Page) url() string {
	if p.Open == nil {
		return Path(p.ID)
	}
	return Tab(p.ID, p.Open.Number)
}

// typed returns what the form about a person shows, and the answer in it.
func (p Page) typed() (d compliance.Details, answer string) {
	d = p.Open.Details
	switch {
	case p.Typed == nil && p.Open.Asked == p.Open.Reason:
		answer = p.Open.Answer
	case p.Typed != nil && p.Typed.Answer != nil:
		answer = *p.Typed.Answer
	}
	if p.Typed != nil {
		d = p.Typed.Details
	}
	d.Country = cmp.Or(d.Country, compliance.Australia)
	return d, answer
}

// field gives a field its id and its problem. Browsers must not fill in their own user's details: this may be about another person.
func (p Page) field(one ui.Field) ui.Field {
	one.ID, one.Autocomplete, one.Problem = one.Name, "off", p.Problems[one.Name]
	return one
}

// choice is a field without a value of its own.
func (p Page) choice(name, label string, options []ui.Option) ui.Choice {
	return ui.Choice{Field: ui.Field{ID: name, Name: name, Label: label, Problem: p.Problems[name]}, Options: options}
}

// problems lists the problems in the order of the fields.
func (p Page) problems() (all []ui.Field) {
	for _, name := range []string{
		"name", "bsb", "number", "acknowledged", "street", "suburb", "state", "postCode", "country", "dob", "licenseno", "licensestate",
		"licenseexp", "dlfront", "dlback",
	} {
		all = append(all, ui.Field{ID: name, Problem: p.Problems[name]})
	}
	return all
}

func hash(a compliance.Agreement) string { return hex.EncodeToString(a.Hash[:]) }

// momentOf returns a time by the clock that it carries: that of the business.
func momentOf(t time.Time) string { return clock.Text(t, t.Location()) }

func states(chosen string) []ui.Option {
	options := []ui.Option{{Label: "Choose", Chosen: chosen == ""}}
	for _, state := range compliance.States() {
		options = append(options, ui.Option{Value: state, Label: state, Chosen: state == chosen})
	}
	return options
}

func countries(chosen string) (options []ui.Option) {
	for _, c := range form.Countries() {
		options = append(options, ui.Option{Value: c.Code, Label: c.Name, Chosen: c.Code == chosen})
	}
	return options
}

// side is a side of a licence.
type side struct {
	name  compliance.Side
	label string
	url   string // of the picture that was submitted; empty if none
}

// sides returns both sides of a person's licence. Pictures are below base; a new picture gets a new address.
func sides(p *compliance.Person, base string) []side {
	list := []side{{name: compliance.Front, label: "Front"}, {name: compliance.Back, label: "Back"}}
	for i, there := range []bool{p.Front, p.Back} {
		if there {
			list[i].url = fmt.Sprintf("%s/%d/%s?v=%d", base, p.Number, list[i].name, p.Revision)
		}
	}
	return list
}

// Answer is one answer of a person.
type Answer struct{ Name, Value string }

// Answers returns the answers about a person.
func Answers(p *compliance.Person) []Answer {
	return slices.DeleteFunc([]Answer{
		{Name: "Street", Value: p.Street}, {Name: "Suburb", Value: p.Suburb}, {Name: "State", Value: p.Details.State},
		{Name: "Postcode", Value: p.PostCode}, {Name: "Country", Value: form.CountryName(p.Country)},
		{Name: "Date of birth", Value: day(p.Dob)},
		{Name: "Licence number", Value: p.LicenseNo}, {Name: "Issued in", Value: p.LicenseState}, {Name: "Expires", Value: day(p.LicenseExp)},
		{Name: "Answer to our question", Value: p.Answer},
	}, func(a Answer) bool { return a.Value == "" })
}

// day returns a stored day as people write it.
func day(stored string) string {
	t, err := time.Parse(time.DateOnly, stored)
	if err != nil {
		return ""
	}
	return t.Format("2 January 2006")
}

// returned reports whether staff asked for more.
func returned(p *compliance.Person) bool { return p.State == state.PersonReturned && p.Reason != "" }

// swaps makes a form replace only the panel, if scripts run.
func swaps(url string) templ.Attributes {
	return templ.Attributes{
		"hx-post": url, "hx-target": "#compliance", "hx-swap": "outerHTML", "hx-push-url": "true", "hx-encoding": "multipart/form-data",
		"hx-status:4xx": "push:false", "hx-status:5xx": "swap:none push:false",
	}
}

// follows makes a link do the same.
func follows(url string) templ.Attributes {
	return templ.Attributes{
		"hx-get": url, "hx-target": "#compliance", "hx-swap": "outerHTML", "hx-push-url": "true", "hx-status:5xx": "swap:none push:false",
	}
}
