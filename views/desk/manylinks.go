package desk

import (
	"strconv"

	"forecourt/internal/shop/paylink"
	"forecourt/views/ui"
)

// ManyLinks is the form that takes a table of pay links.
type ManyLinks struct {
	Key     string           // of this form
	Text    string           // the table, as typed or read from the file
	Problem string           // what is wrong with the table as a whole
	Rows    paylink.Problems // of its rows, which the page numbers as a spreadsheet does: the heading is row 1
}

// mostProblems is how many problems the page lists.
const mostProblems = 100

// These are the problems of a table as a whole.
const (
	TableTooLarge = "The file is larger than 8 MB. Split it into several."
	TableEmpty    = "The table has no rows. Choose a file or paste the rows, with a heading line first."
	TableHeading  = "The first line has to name the columns: amount and, if you want, reference, description, expires and currency, each once."
	TableAgain    = "You have already made links from another table with this form. Press the button again to make these as well."
)

// TableTooMany says that a table has too many rows.
var TableTooMany = "A table can have " + strconv.Itoa(paylink.Max) + " rows at most. Split it into several."

func (m ManyLinks) field() ui.Field {
	return ui.Field{
		ID: "rows", Name: "rows", Label: "Paste the rows here", Value: m.Text, Problem: m.Problem,
		Hint: "The first line names the columns. Commas, semicolons and tabs all work.",
	}
}

func (m ManyLinks) listed() paylink.Problems { return m.Rows[:min(len(m.Rows), mostProblems)] }
