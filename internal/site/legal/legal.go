// Package legal has the provider's documents: the privacy policy, the terms and the financial services guide. They are structured text,
// which other packages draw as a page or a PDF; an operator may replace them by texts of their own, which the database keeps (Documents).
package legal

import (
	"embed"
	"strings"
)

//go:embed *.md
var files embed.FS

// Document is a structured text, ready to draw.
type Document struct {
	Title    string
	Summary  string // one paragraph that says what matters most
	Sections []Section
}

// Section is a heading with its blocks. ID names it in an address and is unique within its document.
type Section struct {
	ID, Title string
	Blocks    []Block
}

// Block is a paragraph, a list or a table of facts: exactly one of the three.
type Block struct {
	Text  string
	List  []string
	Facts []Fact
	Link  *Fact // a page, by its name and address
}

// Fact is a line of a table: a name and its value.
type Fact struct{ Name, Value string }

func text(s string) Block        { return Block{Text: s} }
func list(items ...string) Block { return Block{List: items} }

// Privacy says what happens to what people type into the site of p.
func Privacy(p Provider) Document { return own("privacy", p, "") }

// Terms says what customers, merchants and p agree on. fees words what p charges.
func Terms(p Provider, fees string) Document { return own("terms", p, fees) }

// Guide returns the financial services guide of p: who provides which service under which licence, what it costs, and where to complain.
// fees words what p charges.
func Guide(p Provider, fees string) Document { return own("guide", p, fees) }

// Agreement is the direct debit request service agreement that merchants sign with p (COMPL-06 to COMPL-09).
func Agreement(p Provider) Document { return own("agreement", p, "") }

// Merchant is the agreement of a business with p about payments, which it signs with the other. fees words what p charges it.
func Merchant(p Provider, business, fees string) Document {
	return ownFor("merchant", p, fees, business)
}

// contact is how to reach the provider, as the documents have it.
const contact = `- Email :: {{mail}}
- Australia :: {{address}}
- Phone :: {{phone}}
- Toll-free :: {{tollfree}}
- United Kingdom :: {{uk-address}}
- Phone (UK) :: {{uk-phone}}
- Fax (UK) :: {{uk-fax}}`

// own returns one of the program's own documents. Its headings end with the id of the section, {#who}; a paragraph may be a link to a page,
// and a list may be a table of facts, "Name :: value".
func own(name string, p Provider, fees string) Document { return ownFor(name, p, fees, "") }

// ownFor is own for a business.
func ownFor(name string, p Provider, fees, business string) Document {
	file, err := files.ReadFile(name + ".md")
	if err != nil {
		panic(err) // it is built in
	}
	d := Parse(strings.NewReplacer(
		"{{fees}}", fees, "{{business}}", business, "{{name}}", p.Name, "{{mail}}", p.SupportMail, "{{licence}}", p.Licence,
		"{{address}}", p.Australia.Address, "{{phone}}", p.Australia.Phone, "{{tollfree}}", p.Australia.TollFree,
		"{{uk-address}}", p.UnitedKingdom.Address, "{{uk-phone}}", p.UnitedKingdom.Phone, "{{uk-fax}}", p.UnitedKingdom.Fax,
	).Replace(strings.ReplaceAll(string(file), "{{contact}}", contact)), Document{})
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Title, s.ID, _ = strings.Cut(strings.TrimSuffix(s.Title, "}"), " {#")
		for k, b := range s.Blocks {
			if facts := factsOf(b.List); facts != nil {
				s.Blocks[k] = Block{Facts: facts}
			} else if name, address, link := strings.Cut(b.Text, "]("); link {
				s.Blocks[k] = Block{Link: &Fact{strings.TrimPrefix(name, "["), strings.TrimSuffix(address, ")")}}
			}
		}
	}
	return d
}

// factsOf returns the entries of a list that are facts. One without a value, which the provider does not have, is left out.
func factsOf(list []string) (facts []Fact) {
	for _, entry := range list {
		if name, value, is := strings.Cut(entry, " :: "); is {
			facts = append(facts, Fact{name, value})
		}
	}
	return facts
}
