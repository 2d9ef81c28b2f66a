package compliance

import (
	"fmt"
	"sync"
	"time"

	"forecourt/db/state"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/static"
	view "forecourt/views/compliance"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// agreementPage shows the agreement with what was typed below it.
func (h *Handler) agreementPage(v visit, g compliance.Signing, problems []compliance.Problem) (view.Page, error) {
	text, err := h.records.Agreement()
	if err != nil {
		return view.Page{}, err
	}
	a := &view.Agreement{
		Title: text.Title, Summary: text.Summary, Version: text.Version, Sections: text.Sections, Hash: hexHash(text),
		Account: view.AccountFields(g.Name, g.BSB, g.Number),
		Tick:    ui.Field{ID: "acknowledged", Name: "acknowledged", Label: view.Tick},
	}
	if g.Acknowledged {
		a.Tick.Value = "yes"
	}
	setProblems(problems, &a.Tick, &a.Account[0], &a.Account[1], &a.Account[2])
	return view.Page{Frame: frame(), For: view.Business(v.Business, v.Shop), DeskURL: v.desk(), URL: v.path(), Agreement: a}, nil
}

// peoplePage shows the tabs with one of them open: the one of person at or, if there is no such person, the first that needs something.
// typed, unless nil, is shown instead of the stored details.
func peoplePage(v visit, at int, typed *compliance.Change, problems []compliance.Problem) view.Page {
	p, err := v.Person(at)
	if err != nil {
		p = first(v.People)
	}
	s := v.Signature
	m := &view.People{Done: v.Complete(), Signed: view.Signed{
		Signer: s.Signer, Account: s.Account.Name, BSB: s.Account.BSB, Number: s.Account.Number, At: view.MomentOf(s.At),
		PDFURL: v.path() + "/agreement.pdf",
	}}
	for i := range v.People {
		other := &v.People[i]
		m.Tabs = append(m.Tabs, view.Tab{
			Name: other.Name, URL: v.tab(other.Number), Current: other == p,
			Status: view.StatusOf(other.State, other.Complete(), lacking(other)),
		})
	}
	if p.State == state.PersonAccepted {
		m.Open = ReadOnly(p, v.path())
	} else {
		m.Open = personModel(p, v.path())
		if typed == nil {
			typed = &compliance.Change{Details: p.Details}
			if p.Asked == p.Reason {
				typed.Answer = &p.Answer
			}
		}
		ask(&m.Open, p, typed.Details, problems)
		if m.Open.Reason != "" {
			m.Open.Answer = view.AnswerField(typed.Answer)
		}
	}
	return view.Page{Frame: frame(), For: view.Business(v.Business, v.Shop), DeskURL: v.desk(), URL: v.tab(p.Number), People: m}
}

// first returns the first person who needs something, or else the first of all.
func first(people []compliance.Person) *compliance.Person {
	for i := range people {
		if !people[i].Complete() || people[i].State == state.PersonReturned {
			return &people[i]
		}
	}
	return &people[0]
}

// personModel returns what every view of a person shows. Pictures are below base.
func personModel(p *compliance.Person, base string) view.Person {
	m := view.Person{Number: p.Number, Name: p.Name, Status: view.StatusOf(p.State, p.Complete(), lacking(p)), Lacking: lacking(p)}
	if p.State == state.PersonReturned {
		m.Reason = p.Reason
	}
	if p.Revision > 0 {
		m.Saved = view.MomentOf(p.ChangedAt).Text
	}
	for _, side := range []struct {
		side  compliance.Side
		label string
		there bool
	}{{compliance.Front, "Front", p.Front}, {compliance.Back, "Back", p.Back}} {
		picture := view.Picture{
			Side: string(side.side), Label: side.label, Field: ui.Field{ID: "dl" + string(side.side), Name: "dl" + string(side.side)},
		}
		if side.there {
			picture.URL = picturePath(base, p, side.side)
		}
		m.Pictures = append(m.Pictures, picture)
	}
	return m
}

// lacking names the details of a person that are still missing.
func lacking(p *compliance.Person) (words []string) {
	for _, part := range p.Lacking() {
		switch part {
		case compliance.AddressPart:
			words = append(words, view.LackingAddress)
		case compliance.LicencePart:
			words = append(words, view.LackingLicence(p.LicenseNo != "", p.Front, p.Back)...)
		case compliance.DobPart:
			words = append(words, view.LackingDob)
		}
	}
	return words
}

// ReadOnly returns a person with all details and nothing to fill in. Pictures are below base.
func ReadOnly(p *compliance.Person, base string) view.Person {
	m := personModel(p, base)
	m.Answers, m.Known = answersOf(p), len(p.Required) == 0
	return m
}

// picturePath returns the address of a picture below base. A new picture gets a new address.
func picturePath(base string, p *compliance.Person, side compliance.Side) string {
	return fmt.Sprintf("%s/%d/%s?v=%d", base, p.Number, side, p.Revision)
}

// ask fills in the form for a person.
func ask(m *view.Person, p *compliance.Person, d compliance.Details, problems []compliance.Problem) {
	if d.Country == "" {
		d.Country = compliance.Australia
	}
	var all []*ui.Field
	for _, part := range p.Required {
		switch part {
		case compliance.AddressPart:
			m.Address = addressModel(d)
			all = append(all, &m.Address.Street, &m.Address.Suburb, &m.Address.PostCode, &m.Address.State.Field, &m.Address.Country.Field)
		case compliance.DobPart:
			m.Dob = &ui.Field{
				ID: "dob", Name: "dob", Label: "Date of birth", Type: "date", Value: d.Dob, Autocomplete: "off", Hint: "18 years or older",
			}
			all = append(all, m.Dob)
		case compliance.LicencePart:
			m.Licence = &view.Licence{
				Number: ui.Field{ID: "licenseno", Name: "licenseno", Label: "Licence number", Value: d.LicenseNo, Autocomplete: "off"},
				Expiry: ui.Field{ID: "licenseexp", Name: "licenseexp", Label: "Expiry date", Type: "date", Value: d.LicenseExp, Autocomplete: "off"},
				State:  ui.Choice{Field: ui.Field{ID: "licensestate", Name: "licensestate", Label: "Issued in"}, Options: stateOptions(d.LicenseState)},
			}
			all = append(all, &m.Licence.Number, &m.Licence.Expiry, &m.Licence.State.Field, &m.Pictures[0].Field, &m.Pictures[1].Field)
		}
	}
	setProblems(problems, all...)
}

func addressModel(d compliance.Details) *view.Address {
	a := &view.Address{
		// Browsers must not fill in their own user's address: this may be about another person.
		Street: ui.Field{
			ID: "street", Name: "street", Label: "Street", Value: d.Street, Hint: "With the number; no PO box", Autocomplete: "off",
		},
		Suburb:   ui.Field{ID: "suburb", Name: "suburb", Label: "Suburb", Value: d.Suburb, Autocomplete: "off"},
		PostCode: ui.Field{ID: "postCode", Name: "postCode", Label: "Postcode", Value: d.PostCode, InputMode: "numeric", Autocomplete: "off"},
		State:    ui.Choice{Field: ui.Field{ID: "state", Name: "state", Label: "State"}, Options: stateOptions(d.State)},
		Country:  ui.Choice{Field: ui.Field{ID: "country", Name: "country", Label: "Country"}},
	}
	if d.Country != compliance.Australia {
		a.PostCode.InputMode = ""
	}
	for _, c := range countries() {
		a.Country.Options = append(a.Country.Options, ui.Option{Value: c.Code, Label: c.Name, Chosen: c.Code == d.Country})
	}
	return a
}

func stateOptions(chosen string) []ui.Option {
	options := []ui.Option{{Label: "Choose", Chosen: chosen == ""}}
	for _, state := range compliance.States() {
		options = append(options, ui.Option{Value: state, Label: state, Chosen: state == chosen})
	}
	return options
}

// answersOf returns the answers about a person.
func answersOf(p *compliance.Person) []view.Answer {
	var list []view.Answer
	for _, a := range []view.Answer{
		{Name: "Street", Value: p.Street}, {Name: "Suburb", Value: p.Suburb}, {Name: "State", Value: p.Details.State},
		{Name: "Postcode", Value: p.PostCode}, {Name: "Country", Value: form.CountryName(p.Country)},
		{Name: "Date of birth", Value: day(p.Dob)},
		{Name: "Licence number", Value: p.LicenseNo}, {Name: "Issued in", Value: p.LicenseState}, {Name: "Expires", Value: day(p.LicenseExp)},
		{Name: "Answer to our question", Value: p.Answer},
	} {
		if a.Value != "" {
			list = append(list, a)
		}
	}
	return list
}

// day returns a stored day as people write it.
func day(stored string) string {
	t, err := time.Parse(time.DateOnly, stored)
	if err != nil {
		return ""
	}
	return t.Format("2 January 2006")
}

// setProblems puts problems under their fields.
func setProblems(problems []compliance.Problem, fields ...*ui.Field) {
	for _, problem := range problems {
		for _, f := range fields {
			if f.Name == problem.Field && f.Problem == "" {
				f.Problem = view.Problem(problem.Field, problem.Code)
			}
		}
	}
}

// countries lists the countries of addresses.
var countries = sync.OnceValue(form.Countries)

func frame() layout.Site {
	return layout.Site{Title: view.Heading, Styles: []string{static.URL("compliance.css")}, Scripts: []string{static.URL("compliance.js")}}
}
