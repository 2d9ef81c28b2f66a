// Package legal holds the provider's documents: privacy policy, terms and the financial services guide. They are written
// once, as text with structure, and drawn as a page or a PDF elsewhere.
package legal

// Document is a text that people are pointed to, ready to draw.
type Document struct {
	Title    string
	Summary  string // one paragraph that says what matters most
	Sections []Section
}

// Section is a heading with what stands below it. ID names it in an address and is unique within its document.
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

// Fact is a line of a table: what, and what it is.
type Fact struct{ Name, Value string }

func text(s string) Block        { return Block{Text: s} }
func list(items ...string) Block { return Block{List: items} }
func facts(all ...Fact) Block    { return Block{Facts: all} }
