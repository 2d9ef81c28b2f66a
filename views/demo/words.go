package demo

import (
	"strconv"

	"forecourt/views/ui"
)

// QRClientProblem is what is wrong with a business that is not one of the demo's.
const QRClientProblem = "Choose one of the four businesses"

// QRTableProblem is what is wrong with a table that no order takes.
func QRTableProblem(limit int) string {
	return "Use at most " + strconv.Itoa(limit) + " letters, digits or signs for the table"
}

// QRTablesProblem is what is wrong with a number of tables.
func QRTablesProblem(limit int) string {
	return "Enter how many tables there are, from 1 to " + strconv.Itoa(limit)
}

// QRClient is the choice of a business.
func QRClient(problem string) ui.Field {
	return ui.Field{ID: "client", Name: "client", Label: "Business", Problem: problem}
}

// QRTable is the field for a table of at most limit characters.
func QRTable(value string, limit int, problem string) ui.Field {
	return ui.Field{
		ID: "table", Name: "table", Label: "Table number", Hint: "Leave it blank for takeaway", Value: value, Autocomplete: "off",
		EnterKeyHint: "done", MaxLength: limit, Problem: problem,
	}
}

// QRTables is the field for the number of tables on a printed sheet.
func QRTables(value string, limit int, problem string) ui.Field {
	return ui.Field{
		ID: "tables", Name: "tables", Label: "Number of tables", Hint: "From 1 to " + strconv.Itoa(limit), Value: value,
		InputMode: "numeric", Autocomplete: "off", EnterKeyHint: "go", Problem: problem,
	}
}
