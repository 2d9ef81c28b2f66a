// Package legal has the provider's documents: the privacy policy, the terms and the financial services guide. They are structured text,
// which other packages draw as a page or a PDF; an operator may replace them by texts of their own, which the database keeps (Documents).
package legal

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
