// Package compliance renders the page on which merchants sign the direct debit agreement and identify people, and the parts of it that
// staff see.
package compliance

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/site/legal"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Panel is the fragment that htmx swaps: everything below the page's heading.
const Panel = "compliance-panel"

// Page is the compliance page: exactly one of Agreement and People is set.
type Page struct {
	Frame     layout.Site
	For       string // the business, as Business returns it
	DeskURL   string // of the business's desk; empty for none
	URL       string // of the page, for this person of the record
	WholeURL  string // the same without a spinner first; empty if the page is already complete
	Notice    string // why something was not stored, or where prefilled values come from
	Agreement *Agreement
	People    *People
}

// Agreement is the text to sign, and the form that signs it.
type Agreement struct {
	Title, Summary, Version string
	Sections                []legal.Section
	Hash                    string // of the text, in hexadecimal
	Account                 []ui.Field
	Tick                    ui.Field
}

func (a *Agreement) problems() []ui.Field { return append(append([]ui.Field{}, a.Account...), a.Tick) }

// People are the tabs of a record, and the one that is open.
type People struct {
	Signed Signed
	Done   int // people who are complete
	Tabs   []Tab
	Open   Person
}

// Signed is a signature, with the account masked.
type Signed struct {
	Signer, Account, BSB, Number, PDFURL string
	At                                   Moment
}

// Moment is a time for people and for programs.
type Moment struct{ Text, ISO string }

// MomentOf returns a time by the clock that it carries: that of the business.
func MomentOf(t time.Time) Moment {
	return Moment{Text: clock.Text(t, t.Location()), ISO: t.UTC().Format(time.RFC3339)}
}

// Tab leads to a person.
type Tab struct {
	Name, URL string
	Status    Status
	Current   bool
}

// Status is a person's state. Name is a class of the style sheet.
type Status struct{ Name, Label string }

// Person shows what one person has to provide. Parts that are not needed are nil.
type Person struct {
	Number   int
	Name     string
	Status   Status
	Reason   string    // what staff asked for; empty if nothing
	Answer   *ui.Field // asks for an answer to it; nil if nothing was asked
	Lacking  []string
	Address  *Address
	Dob      *ui.Field
	Licence  *Licence
	Saved    string   // when it was last stored; empty if never
	Answers  []Answer // in place of the form, once accepted
	Known    bool     // accepted in another record, so there is neither form nor answer
	Pictures []Picture
}

// Address asks where somebody lives.
type Address struct {
	Street, Suburb, PostCode ui.Field
	State, Country           ui.Choice
}

// Licence asks for a driver licence.
type Licence struct {
	Number, Expiry ui.Field
	State          ui.Choice
}

// Picture is a side of a licence.
type Picture struct {
	Side, Label string
	URL         string // of the picture that was submitted; empty if none
	Field       ui.Field
}

// Answer is one answer of a person.
type Answer struct{ Name, Value string }

func (p *Person) problems() []ui.Field {
	var fields []ui.Field
	if p.Address != nil {
		fields = append(fields, p.Address.Street, p.Address.Suburb, p.Address.State.Field, p.Address.PostCode, p.Address.Country.Field)
	}
	if p.Dob != nil {
		fields = append(fields, *p.Dob)
	}
	if p.Licence != nil {
		fields = append(fields, p.Licence.Number, p.Licence.State.Field, p.Licence.Expiry)
		for _, picture := range p.Pictures {
			fields = append(fields, picture.Field)
		}
	}
	return fields
}
