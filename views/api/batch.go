// Package api holds the messages to programs and commands about pay links and batches of them.
package api

import "fmt"

// RowProblemText says what is wrong with a row as a whole (field is ""; problem is "no row", "quotes" or "columns") or with a
// field of its pay link.
func RowProblemText(field, problem string) string {
	text, ok := map[string]string{
		" no row":     "a row has to be an object",
		" quotes":     "the quotes do not match, so this row and those below it cannot be read",
		" columns":    "the row has more values than the first line has names; a value with a separator in it needs quotes",
		"amount bad":  "the amount has to be written like 12.50, from 0.01 to 999999.99",
		"expires bad": "the expiry has to be a day such as 2027-01-31 or a moment such as 2027-01-31T09:30:00Z",
	}[field+" "+problem]
	if problem == "no text" {
		return field + " has to be one text or number"
	}
	if !ok {
		return PaylinkProblemText(field, problem)
	}
	return text
}

// Refused says how many rows cannot be used.
func Refused(rows int) string {
	if rows == 1 {
		return "One row cannot be used. Nothing was created."
	}
	return fmt.Sprintf("%d rows cannot be used. Nothing was created.", rows)
}
