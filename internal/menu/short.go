package menu

import (
	"unicode/utf8"

	"forecourt/internal/printable"
)

// short returns what a message repeats of a file or a field, which may be as long as the file.
func short(text string) string {
	const most = 100
	line := printable.MakeLine(text, most+1)
	if utf8.RuneCountInString(line) > most {
		return printable.MakeLine(line, most-1) + "…"
	}
	return line
}

// quoted returns what a message quotes, short.
func quoted(text string) string { return "“" + short(text) + "”" }
