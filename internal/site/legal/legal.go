// Package legal has the provider's documents: the privacy policy, the terms and the financial services guide. They are structured text,
// which other packages draw as a page or a PDF; an operator may replace them by texts of their own, which the database keeps (Documents).
package legal

import (
	"embed"
	"strings"
)

//go:embed privacy.md terms.md guide.md
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
func facts(all ...Fact) Block    { return Block{Facts: all} }

// Privacy says what happens to what people type into the site of p.
func Privacy(p Provider) Document { return own("privacy", p) }

// Terms says what customers, merchants and p agree on.
func Terms(p Provider) Document { return own("terms", p) }

// Guide returns the financial services guide of p: who provides which service under which licence, what it costs, and where to complain.
func Guide(p Provider) Document { return own("guide", p) }

// own returns one of the program's own documents. Its headings end with the id of the section, {#who}; a paragraph may be a link to a page,
// or stand for facts about p.
func own(name string, p Provider) Document {
	file, err := files.ReadFile(name + ".md")
	if err != nil {
		panic(err) // it is built in
	}
	d := Parse(strings.NewReplacer("{{name}}", p.Name, "{{mail}}", p.SupportMail).Replace(string(file)), Document{})
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Title, s.ID, _ = strings.Cut(strings.TrimSuffix(s.Title, "}"), " {#")
		for k, b := range s.Blocks {
			switch name, address, link := strings.Cut(b.Text, "]("); {
			case b.Text == "{{contact}}":
				s.Blocks[k] = contact(p)
			case b.Text == "{{licence}}":
				s.Blocks[k] = facts(Fact{"Provider", p.Name}, Fact{"Australian Financial Services Licence", "No. " + p.Licence})
			case link:
				s.Blocks[k] = Block{Link: &Fact{strings.TrimPrefix(name, "["), strings.TrimSuffix(address, ")")}}
			}
		}
	}
	return d
}

// contact is how to reach the provider. A number that it does not have is left out.
func contact(p Provider) Block {
	var all []Fact
	for _, f := range []Fact{
		{"Email", p.SupportMail},
		{"Australia", p.Australia.Address}, {"Phone", p.Australia.Phone}, {"Toll-free", p.Australia.TollFree},
		{"United Kingdom", p.UnitedKingdom.Address}, {"Phone (UK)", p.UnitedKingdom.Phone}, {"Fax (UK)", p.UnitedKingdom.Fax},
	} {
		if f.Value != "" {
			all = append(all, f)
		}
	}
	return facts(all...)
}
